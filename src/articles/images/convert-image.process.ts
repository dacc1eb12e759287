import type { ConversionOrder } from './conversion-process.js';
import { convertImage } from './convert-image.js';

/**
 * The program of `ConversionProcess`. Receives a picture and a size, and sends the bytes of the converted picture, or
 * null.
 */
process.on('message', (order: unknown) => {
  void answered(order);
});
// Only the service ends this process. A Ctrl+C in a terminal signals all processes at the same time, so this process
// ignores the signal.
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
