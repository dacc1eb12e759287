// Loaded before the service (`node --import`): answers each message of the process that has started it with the memory
// that V8 counts.
process.on('message', () => process.send(process.memoryUsage()));
process.channel.unref();
