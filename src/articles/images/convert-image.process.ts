import { convertImage } from './convert-image.js';

/** The program of `ConversionProcess`: gets the bytes of a picture, and sends those of the converted one, or null. */
process.on('message', (source: unknown) => {
  void answered(source);
});
// The service decides when this process ends; a terminal signals all processes at once.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit();
});

async function answered(source: unknown): Promise<void> {
  const image = source instanceof Uint8Array ? await convertImage(source) : undefined;
  process.send?.(image?.bytes ?? null);
}
