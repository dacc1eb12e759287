import { convertImage } from './convert-image.js';

/** The process that `ConversionProcess` starts: bytes come in, and those of a fitting picture go back, or nothing. */
process.on('message', (source: unknown) => {
  void answered(source);
});
// Who stops the service decides when this ends, and a terminal tells all processes at once.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit();
});

async function answered(source: unknown): Promise<void> {
  const image = source instanceof Uint8Array ? await convertImage(source) : undefined;
  process.send?.(image?.bytes ?? null);
}
