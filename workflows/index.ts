export { experiment } from './experiment.ts';
export { trial } from './trial.ts';
