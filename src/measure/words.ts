/** Numbers as messages write them: thousands with commas, no more digits than help. */
export function n(value: number): string {
  const rounded =
    Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toString().replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}

export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function mib(bytes: number): string {
  return `${n(bytes / 1024 / 1024)} MiB`;
}
