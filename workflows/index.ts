export { experiment } from './experiment.ts';
export { janitor } from './janitor.ts';
export { trial } from './trial.ts';
