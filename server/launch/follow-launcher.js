/**
 * Loaded before the program: when the launcher ends for any reason, the program closes like on SIGTERM, so that
 * no process keeps the port and the data folder.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
