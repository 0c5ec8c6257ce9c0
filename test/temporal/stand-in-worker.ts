/** Stands in for the worker where only its life matters: lives until SIGTERM. */
setInterval(() => {}, 60_000);
process.on('SIGTERM', () => process.exit(0));
