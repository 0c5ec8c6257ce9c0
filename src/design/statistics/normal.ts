/**
 * Distribution function of the standard normal, good to about 1e-14. Marsaglia's series ("Evaluating the
 * normal distribution", J. Stat. Software 2004) near the middle, the continued fraction of Mills' ratio in the tails.
 */
export function normalCdf(z: number): number {
  if (z > 0) return 1 - normalCdf(-z);
  const x = -z;
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 4) {
    let fraction = x;
    for (let k = 100; k >= 1; k--) fraction = x + k / fraction;
    return density / fraction;
  }
  let term = x;
  let sum = x;
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 - density * sum;
}
