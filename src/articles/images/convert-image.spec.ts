import sharp from 'sharp';

import { convertImage } from './convert-image.js';

const plain = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

describe('convertImage', () => {
  it('makes a picture as small as a screen', async () => {
    const image = await convertImage(await plain(2528, 100));

    const { width, height } = await sharp(image?.bytes).metadata();
    expect([image?.type, width, height]).toEqual(['image/png', 1264, 50]);
  });

  it('unpacks no picture of more than 25 million pixels', async () => {
    expect(await convertImage(await plain(5000, 5000))).toBeDefined();
    expect(await convertImage(await plain(5001, 5000))).toBeUndefined();
  });

  it('reads nothing but the formats of the web', async () => {
    const tiff = await sharp(await plain(10, 10))
      .tiff()
      .toBuffer();

    expect(await convertImage(tiff)).toBeUndefined();
    expect(await convertImage(Buffer.from('<svg width="9" height="9"/>'))).toBeUndefined();
    expect(await convertImage(Buffer.alloc(0))).toBeUndefined();
  });
});
