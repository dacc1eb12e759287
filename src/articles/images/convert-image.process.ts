import type { ConversionOrder } from './conversion-process.js';
import { convertImage } from './convert-image.js';

/**
 * The main file of the conversion process. It receives a picture and a size, and returns the converted picture. It
 * returns null if the picture cannot be converted.
 */
process.on('message', (order: unknown) => {
  void answered(order);
});
// Ignores the signal that Ctrl+C in a terminal sends to all processes, because only the service ends this process.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit();
});

async function answered(order: unknown): Promise<void> {
  const image = isOrder(order) ? await convertImage(order.source, order.size) : undefined;
  process.send?.(image?.bytes ?? null);
}

const isOrder = (value: unknown): value is ConversionOrder =>
  typeof value === 'object' && value !== null && 'source' in value && 'size' in value;
