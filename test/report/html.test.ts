import { describe, expect, test } from 'vitest';
import { htmlReport } from '../../src/report/html.ts';
import { escapeText, html, relativeHref } from '../../src/report/markup.ts';
import {
  ABORTED,
  ABORTED_EARLY,
  COMPLETED,
  EVIL,
  HOSTILE,
  INCONCLUSIVE,
  UNDECIDED,
} from './fixture-cases.ts';
import { modelOf } from './harness.ts';

/** Every tag of a page, so that a tag smuggled in by a name is seen whatever its case or attributes. */
const tagsOf = (page: string): Set<string> =>
  new Set([...page.matchAll(/<([a-zA-Z][\w-]*)/g)].map((m) => (m[1] ?? '').toLowerCase()));

test('the answer, its interval, its word and what it does not prove come before everything else', async () => {
  const page = htmlReport(await modelOf(COMPLETED));
  const at = (text: string): number => {
    const index = page.indexOf(text);
    expect(index, text).toBeGreaterThan(0);
    return index;
  };
  expect(at('<p class="big">2.4')).toBeLessThan(at('id="ratio-t"'));
  expect(at('2.3 to 2.5')).toBeLessThan(at('id="ratio-t"'));
  expect(at('✓ higher')).toBeLessThan(at('id="ratio-t"'));
  expect(at('id="ratio-t"')).toBeLessThan(at('What this does not prove'));
  expect(at('What this does not prove')).toBeLessThan(at('id="scenarios"'));
  for (const part of [
    'id="by-block"',
    'id="over-time"',
    'id="contrasts"',
    'id="voided"',
    'id="environment"',
    'capsule-lost',
    '-XX:+UseG1GC',
    '6.1.0-28-amd64',
    'ProducerPerformance',
  ])
    at(part);
});

test('a ratio that decides nothing is not shown large', async () => {
  expect(htmlReport(await modelOf(UNDECIDED)).includes('class="big"')).toBe(false);
  const open = htmlReport(await modelOf(INCONCLUSIVE));
  expect([open.includes('class="big"'), open.includes('? inconclusive')]).toEqual([false, true]);
});

test('an aborted experiment renders with what there is', async () => {
  const page = htmlReport(await modelOf(ABORTED));
  expect(page).toContain('was aborted');
  expect(page).toContain('aborted by the user in block 2, phase load');
  expect(page).toContain('id="by-block"');
  expect(htmlReport(await modelOf(ABORTED_EARLY))).not.toContain('id="by-block"');
});

test('one file: no script, no request, and a policy that forbids both', async () => {
  const page = htmlReport(await modelOf(COMPLETED));
  const allowed = [
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'main',
    'header',
    'footer',
    'section',
    'div',
    'p',
    'h1',
    'h2',
    'h3',
    'span',
    'b',
    'i',
    'bdi',
    'ul',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'figure',
    'figcaption',
    'details',
    'summary',
    'pre',
    'code',
    'a',
  ];
  const drawn = ['svg', 'polygon', 'desc', 'g', 'path', 'rect', 'line', 'text', 'circle', 'defs', 'clippath'];
  expect([...tagsOf(page)].filter((tag) => ![...allowed, ...drawn].includes(tag))).toEqual([]);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(/https?:\/\/(?!www\.w3\.org)|@import|url\((?!#)/.exec(page)?.[0]).toBeUndefined();
  for (const href of page.matchAll(/href="([^"]*)"/g)) expect(href[1]).toMatch(/^\.\//);
});

test('names from a spec can add no tag, attribute, control character or change of direction', async () => {
  const hostile = htmlReport(await modelOf(HOSTILE));
  expect(tagsOf(hostile)).toEqual(tagsOf(htmlReport(await modelOf(COMPLETED))));
  expect(/<script|<img|(?!\n)\p{Cc}|\u202e/u.exec(hostile)?.[0]).toBeUndefined();
  expect(hostile.includes('&#60;script&#62;alert(1)')).toBe(true);
});

test('every picture says in words what it shows', async () => {
  const page = htmlReport(await modelOf(COMPLETED));
  const pictures = [
    ...page.matchAll(
      /<svg [^>]*role="img" aria-labelledby="([\w-]+) ([\w-]+)"><title id="\1">[^<]+<\/title><desc id="\2">[^<]+<\/desc>/g,
    ),
  ];
  expect(pictures).toHaveLength(page.split('<svg ').length - 1);
  expect(pictures).toHaveLength(6);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('markup', () => {
  test('what looks like markup in data is text', () => {
    const forged = JSON.parse('{"text":"<b>"}') as string;
    expect(html`<p title="${EVIL}">${forged}</p>`.text).not.toMatch(/<b>|<script/);
    expect(escapeText(`a<b>"c"&'d'\u0000\u202e`)).toBe('a&#60;b&#62;&#34;c&#34;&#38;&#39;d&#39;\ufffd\ufffd');
  });
  test('a path can become neither a scheme nor a way out of an attribute', () => {
    expect(relativeHref('javascript:alert(1)/x"y')).toBe('./javascript%3Aalert(1)/x%22y');
  });
});
