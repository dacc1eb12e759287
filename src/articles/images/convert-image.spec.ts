import { pathToFileURL } from 'node:url';

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

  it('paints a drawing in SVG as a picture with sharp lines', async () => {
    const image = await convertImage(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><script>alert(1)</script><rect width="150" height="100"/></svg>',
      ),
    );

    const { width, height } = await sharp(image?.bytes).metadata();
    expect([image?.type, width, height]).toEqual(['image/png', 900, 300]);
  });

  it('loads nothing into a drawing in SVG from a file or an address', async () => {
    const [secret, doctype] = [
      pathToFileURL('package.json').href,
      '<!DOCTYPE svg [<!ENTITY x SYSTEM',
    ];
    const drawing = (inside: string, before = '') =>
      convertImage(
        Buffer.from(
          `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="20">${inside}</svg>`,
        ),
      );

    const blank = await drawing('');
    const picture = pathToFileURL('src/web/assets/icon-192.png').href;
    expect(
      (await drawing(`<image xlink:href="${picture}" width="60" height="20"/>`))?.bytes,
    ).toEqual(blank?.bytes);
    const text = await drawing('<text y="15">&x;</text>', `${doctype} "${secret}">]>`);
    expect(text === undefined || text.bytes.equals(blank!.bytes)).toBe(true);
  });

  it('reads nothing but the formats of the web', async () => {
    const tiff = await sharp(await plain(10, 10))
      .tiff()
      .toBuffer();

    expect(await convertImage(tiff)).toBeUndefined();
    expect(await convertImage(Buffer.alloc(0))).toBeUndefined();
  });
});
