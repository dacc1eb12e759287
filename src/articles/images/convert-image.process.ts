import type { ConversionOrder } from './conversion-process.js';
import { convertImage } from './convert-image.js';

/** The program of `ConversionProcess`: gets a picture and a size, and sends those of the converted one, or null. */
process.on('message', (order: unknown) => {
  void answered(order);
});
// The service decides when this process ends; a terminal signals all processes at once.
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
