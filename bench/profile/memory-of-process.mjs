// Loaded before the service (`node --import`). Answers each message of the parent process with V8's memory usage.
process.on('message', () => process.send(process.memoryUsage()));
process.channel.unref();
