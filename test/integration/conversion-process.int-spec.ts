import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';
import sharp from 'sharp';

import {
  ConversionClosedError,
  ConversionProcess,
} from '../../src/articles/images/conversion-process.js';

const HOUR_MS = 3_600_000;
const USER = 'a user';

let conversion: ConversionProcess | undefined;
afterEach(() => {
  conversion?.close();
});

/** A program in place of the real converter. */
function program(code: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'satchel-conversion-')), 'program.mjs');
  writeFileSync(path, code);
  return path;
}

/** Answers with the number of pictures in progress and in total. */
const COUNTING = `
  let running = 0, all = 0;
  process.on('message', () => {
    running += 1;
    all += 1;
    const answer = Buffer.from([0, running, all]);
    setTimeout(() => { running -= 1; process.send(answer); }, 20);
  });`;
/** Blocks the thread without using the processor, like a picture that never finishes. */
const HANG = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
const ANSWERS = `process.on('message', ({ source }) => process.send(source));`;

const someBytes = (first: number): Uint8Array => new Uint8Array([first, 1, 2]);

describe('the process that converts images', () => {
  it('has its error output logged if it fails', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const failing = `process.on('message', () => { console.error('libvips is broken'); process.exit(3); });`;
    conversion = new ConversionProcess(HOUR_MS, program(failing));

    const image = await conversion.convert('a user', someBytes(1));

    expect(image).toBeUndefined();
    expect(warn).toHaveBeenCalledWith(
      'a picture was not converted: its process ended with status 3: libvips is broken',
    );
    warn.mockRestore();
  });

  it('resizes an image for a device, and returns nothing for an invalid image', async () => {
    conversion = new ConversionProcess(HOUR_MS);
    const picture = await sharp({
      create: { width: 3000, height: 20, channels: 3, background: 'red' },
    })
      .png()
      .toBuffer();

    const [image, none] = await Promise.all([
      conversion.convert(USER, picture),
      conversion.convert(USER, someBytes(1)),
    ]);

    expect(image?.type).toBe('image/png');
    expect((await sharp(image?.bytes).metadata()).width).toBe(1264);
    expect(none).toBeUndefined();
  });

  it('converts one image at a time', async () => {
    conversion = new ConversionProcess(HOUR_MS, program(COUNTING));
    const convert = conversion.convert.bind(conversion, USER);

    const images = await Promise.all([1, 2, 3, 4, 5, 6].map(() => convert(someBytes(0))));

    expect(images.map((image) => [...(image?.bytes ?? [])])).toEqual(
      [1, 2, 3, 4, 5, 6].map((nth) => [0, 1, nth]),
    );
  });

  it('alternates between the images of different users', async () => {
    conversion = new ConversionProcess(HOUR_MS, program(COUNTING));
    const one = conversion.convert.bind(conversion);
    const many = [1, 2, 3, 4].map(() => one('many', someBytes(0)));

    const image = await one('another', someBytes(0));

    // The first picture was already in progress. At most one more picture of the same user may precede.
    expect(image?.bytes[2]).toBeLessThanOrEqual(3);
    await Promise.all(many);
  });

  it.each([
    ['takes too long', `if (one[0] === 9) ${HANG}; else process.send(one);`, 2000],
    ['ends it', `if (one[0] === 9) process.exit(1); else process.send(one);`, HOUR_MS],
  ])('is replaced after an image that %s', async (_, work, limitMs) => {
    const code = `process.on('message', ({ source: one }) => { ${work} });`;
    conversion = new ConversionProcess(limitMs, program(code));

    expect(await conversion.convert(USER, someBytes(9))).toBeUndefined();
    expect((await another(conversion))?.bytes).toEqual(Buffer.from([1, 1, 2]));
  });

  it('has no environment variables of the service', async () => {
    const code = `process.on('message', () => process.send(Buffer.from('x' + Object.keys(process.env).filter((name) => /PATH|HOME|DATABASE/.test(name)))));`;
    conversion = new ConversionProcess(HOUR_MS, program(code));

    expect((await conversion.convert(USER, someBytes(1)))?.bytes.toString()).toBe('x');
  });

  it('rejects pending and new calls after it is closed', async () => {
    const closing = new ConversionProcess(HOUR_MS, program(`process.on('message', () => {});`));
    const waiting = [closing.convert(USER, someBytes(1)), closing.convert(USER, someBytes(1))];

    closing.close();

    const [first, second] = await Promise.allSettled(waiting);
    expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
    await expect(closing.convert(USER, someBytes(1))).rejects.toBeInstanceOf(ConversionClosedError);
  });

  it('returns bytes without a PNG signature as image/jpeg', async () => {
    conversion = new ConversionProcess(HOUR_MS, program(ANSWERS));

    expect((await conversion.convert(USER, someBytes(5)))?.type).toBe('image/jpeg');
  });
});

/** Retries, because a new process may start more slowly than a short limit allows on a busy machine. */
async function another(from: ConversionProcess): ReturnType<ConversionProcess['convert']> {
  for (;;) {
    const image = await from.convert(USER, someBytes(1));
    if (image !== undefined) {
      return image;
    }
  }
}
