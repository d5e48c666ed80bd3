/**
 * Loaded before the program: when the launcher is gone, however it went, the program closes as on SIGTERM, so that
 * no server stays behind with the port and the data folder.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
