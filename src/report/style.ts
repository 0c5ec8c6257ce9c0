/** The look of the HTML report. Colours are variables: charts use them too, so dark mode needs no second drawing. */
export const STYLE = `
:root{--bg:#f6f7f9;--card:#fff;--ink:#15181d;--muted:#5a6270;--line:#e4e7ec;--line-strong:#b9c0cb;--shade:rgba(40,70,120,.07);
--good:#0b6b3a;--good-bg:#e2f4e9;--open:#8a5a00;--open-bg:#fcf0d4;--bad:#a3242b;--bad-bg:#fde7e8;--link:#0b57c2;
--s1:#3d6fb4;--s2:#d1600a;--s3:#0b7f6b;--s4:#9a3fa5;--s5:#6d6f00;--s6:#b52757;--s7:#2b8db8;--s8:#6b5646}
@media (prefers-color-scheme:dark){:root{--bg:#0f1216;--card:#171b21;--ink:#e8ebf0;--muted:#9aa4b2;--line:#2a303a;--line-strong:#4b5563;--shade:rgba(150,180,240,.10);
--good:#63d297;--good-bg:#12331f;--open:#f0bf5a;--open-bg:#3a2c0c;--bad:#ff8d92;--bad-bg:#421a1d;--link:#7fb2ff;
--s1:#7aa8ea;--s2:#ff9a4d;--s3:#4fc9b2;--s4:#d48ade;--s5:#c9cb4f;--s6:#f57ba3;--s7:#7fcdf0;--s8:#c2a893}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink)}
main{max-width:1120px;margin:0 auto;padding:28px 24px 56px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.015em;margin:2px 0 18px;overflow-wrap:anywhere}
h2{font-size:19px;margin:36px 0 10px;letter-spacing:-.005em}
h3{font-size:14px;margin:0 0 6px;font-weight:650}
p{margin:0 0 8px}a{color:var(--link)}code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
bdi{overflow-wrap:anywhere}
.muted{color:var(--muted);font-weight:400}.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.about{color:var(--muted);font-size:14px;margin:0}
.outcome{margin-left:10px;padding:1px 9px;border-radius:99px;font-size:12.5px;background:var(--open-bg);color:var(--open);white-space:nowrap}
.outcome.completed{background:var(--good-bg);color:var(--good)}.outcome.failed,.outcome.completed-with-leaks{background:var(--bad-bg);color:var(--bad)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:0 0 14px}
.notices{border-left:4px solid var(--bad);background:var(--bad-bg);border-radius:8px;padding:12px 16px 6px;margin:0 0 14px}
.notices.open{border-left-color:var(--open);background:var(--open-bg)}.notices ul{margin:0 0 6px;padding-left:20px}
.notices.smoke{border:2px dashed var(--bad);font-size:17px}
.strip{width:auto;font-size:15px}.strip th,.strip td{border:0;vertical-align:middle;padding:1px 9px;text-align:center;min-width:30px}.strip thead th,.strip tbody th{color:var(--muted);font-weight:500;font-size:12.5px;min-width:0}
.strip a{text-decoration:none;display:block}.strip .warm{opacity:.75}.strip td.void{position:relative}.strip td.void .key{opacity:.55}.strip td.void::after{content:"✕";position:absolute;inset:0;color:var(--bad);font-size:19px;line-height:1.35;pointer-events:none}
.strip td.missing .key{opacity:.25}.note{font-size:13.5px;margin:10px 0 0}
.wraps thead th{white-space:normal;vertical-align:bottom;min-width:58px}.wraps td.n,.wraps th.n{padding-right:14px}
.expectations{list-style:none;margin:0;padding:0}.expectations li{margin:0 0 8px;overflow-wrap:anywhere}.expectations p{margin:0}.expectations .sign{display:inline-block;width:1.2em}
.expectations .passed .sign{color:var(--good)}.expectations .failed .sign{color:var(--bad)}.expectations .inconclusive .sign{color:var(--open)}.expectations p+p{margin-left:1.4em;font-size:14px}
.raw{font-size:13px}.raw a{white-space:nowrap}.raw .void{text-decoration:line-through}
.answer{padding:22px 26px}
.answer-top{display:flex;gap:34px;align-items:center;flex-wrap:wrap}
.hero{flex:0 1 auto;max-width:100%}.answer-text{flex:1 1 380px;min-width:0}
.big{font-size:76px;line-height:1;font-weight:720;letter-spacing:-.035em;margin:0;font-variant-numeric:tabular-nums}
.big span{font-size:.6em;font-weight:500;margin-left:.06em;color:var(--muted)}
.small{font-size:30px;line-height:1;font-weight:600;color:var(--muted);margin:0}.small span{font-weight:400}
.interval{margin:8px 0 10px;font-size:16px;color:var(--muted)}.interval b{color:var(--ink);font-weight:650}
.word{margin:0 0 8px}.pair{font-size:14.5px;margin:0}
.badge{display:inline-block;padding:2px 11px;border-radius:99px;font-weight:650;font-size:14.5px}
td .badge{white-space:nowrap;font-size:13px}
.badge.decided{background:var(--good-bg);color:var(--good)}.badge.open{background:var(--open-bg);color:var(--open)}.badge.undecidable{background:var(--bad-bg);color:var(--bad)}
.sentence{font-size:21px;line-height:1.4;font-weight:550;overflow-wrap:anywhere}.sentence.long{font-size:16.5px;font-weight:500}.because{color:var(--muted);font-size:15px;margin:0}
figure{margin:14px 0 0}figure.card{margin:0 0 14px}figcaption{font-size:13.5px;color:var(--muted);margin-top:6px}
svg{display:block;width:100%;height:auto}svg text{font-family:inherit!important}
figure{overflow-x:auto}#answer svg{max-width:920px;min-width:460px;margin:0 auto}figure.card>svg{min-width:620px}figcaption{position:sticky;left:0}
svg .margin{fill:var(--shade)}svg .base,svg .tick{stroke:var(--line-strong)}svg .one{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 3}
svg .axis{fill:var(--muted);font-size:13px;text-anchor:middle}svg .name{fill:var(--ink);font-size:13px}
svg .bar{stroke-width:6;stroke-linecap:round;opacity:.55}svg .block{opacity:.6}
svg .decided{color:var(--good)}svg .open{color:var(--open)}svg .undecidable{color:var(--muted)}
svg .bar{stroke:currentColor}svg .point,svg .block{fill:currentColor}
.changes,.limits{border-top:1px solid var(--line);margin-top:16px;padding-top:12px;font-size:15px}
.changes ul{margin:0;padding-left:20px}.limits ul{margin:0;padding-left:18px;columns:2 400px;column-gap:34px;font-size:14px}.limits li{break-inside:avoid;margin-bottom:3px}.warning{color:var(--open);margin:6px 0 0}
.keys{display:flex;flex-wrap:wrap;gap:4px 20px;font-size:14px;margin:0 0 2px}
.key{font-style:normal;font-size:1.05em}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:14px 18px}.panel-title{font-size:14px;font-weight:600;margin:0 0 2px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:7px 12px 7px 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child>*{border-bottom:0}thead th{color:var(--muted);font-weight:550;font-size:13px;white-space:nowrap}tbody th{font-weight:600;min-width:150px}td.why{min-width:210px}
td p{margin:0}td .scenario,th .scenario{display:inline-flex;gap:.35em;align-items:baseline}td.pair-cell{min-width:180px}td>code:only-child{white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-right:20px}thead th.n{text-align:right}.strong{font-weight:680}
tr.void td{color:var(--muted)}
.groups{columns:2 420px;column-gap:14px}.facts{break-inside:avoid}
dl{display:grid;grid-template-columns:minmax(120px,34%) 1fr;gap:4px 14px;margin:0;font-size:14px}dt{color:var(--muted);overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere}
summary{cursor:pointer;font-weight:600}details>:nth-child(2){margin-top:12px}
pre{background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:10px 12px;white-space:pre-wrap;margin:0 0 14px}
.files{columns:2 380px;font-size:13.5px;padding-left:18px;margin:0}.files li{overflow-wrap:anywhere}
footer{margin-top:36px;color:var(--muted);font-size:13px}
@media (max-width:640px){main{padding:18px 14px 40px}h1{font-size:24px}.big{font-size:58px}.sentence{font-size:18px}.answer{padding:16px}}
@media print{:root{--bg:#fff}html{font-size:12px}main{max-width:none;padding:0}.card{break-inside:avoid;border-color:#bbb}h2{break-after:avoid}
details::details-content{content-visibility:visible;display:block}details.card{break-inside:auto}.scroll{overflow:visible}th,td{padding-right:6px}}
`;
