/** A ratio for people: 8.9, 1.08, 0.81, 12. */
export function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return 'unbounded';
  if (ratio >= 10 || ratio === 0) return ratio.toFixed(0);
  if (ratio >= 2) return ratio.toFixed(1);
  if (ratio >= 0.1) return ratio.toFixed(2);
  return ratio.toPrecision(2);
}

/** A share as percent: 0.034 → `3.4 %`, 0.12 → `12 %`. */
export function percentText(share: number): string {
  const percent = 100 * share;
  const digits = Math.abs(percent) >= 10 || Number.isInteger(Number(percent.toFixed(6))) ? 0 : 1;
  return `${percent.toFixed(digits)} %`;
}

/** A whole number with a thousands separator: 140,164. */
export function countText(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A p value: `0.031`, `< 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Bytes in MiB or GiB: `512 MiB`, `9.4 GiB`. */
export function bytesText(bytes: number): string {
  const mib = bytes / 2 ** 20;
  return mib >= 1024 ? `${(mib / 1024).toFixed(1)} GiB` : `${mib.toFixed(mib >= 10 ? 0 : 1)} MiB`;
}
