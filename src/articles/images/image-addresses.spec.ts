import { configFrom } from '../../config/config.js';
import { ImageAddresses } from './image-addresses.js';

const OLD = 'an old secret of 32 bytes or more: 1';
const NEW = 'a newer secret of 32 bytes or more: 2';
const PICTURE = { pageId: '12', number: 3, src: 'https://a.example/3.jpg' };

const signedBy = (...secrets: string[]): ImageAddresses =>
  new ImageAddresses(configFrom({ JWT_SECRET: OLD, SESSION_SECRET: secrets.join(',') }));

const signatureOf = (addresses: ImageAddresses): string =>
  addresses.pathOf(PICTURE).split('/').at(-1) ?? '';

describe('the signature in the address of a picture', () => {
  const addresses = signedBy(NEW);
  const signature = signatureOf(addresses);

  it('is good for this picture', () => {
    expect(addresses.pathOf(PICTURE)).toMatch(/^\/images\/12\/3\/[\w-]{32}$/);
    expect(addresses.isSigned(PICTURE, signature)).toBe(true);
  });

  it.each([
    { ...PICTURE, src: 'https://a.example/other.jpg' },
    { ...PICTURE, number: 4 },
    { ...PICTURE, pageId: '13' },
    { ...PICTURE, pageId: '1', number: 23 },
  ])('is not good for %j', (other) => {
    expect(addresses.isSigned(other, signature)).toBe(false);
  });

  it.each(['', 'A', signature.slice(1), 'A'.repeat(32)])('is not %j', (madeUp) => {
    expect(addresses.isSigned(PICTURE, madeUp)).toBe(false);
  });

  it('stays good while its secret is the second, and ends with it', () => {
    const old = signatureOf(signedBy(OLD));

    expect(signedBy(NEW, OLD).isSigned(PICTURE, old)).toBe(true);
    expect(signatureOf(signedBy(NEW, OLD))).toBe(signature);
    expect(addresses.isSigned(PICTURE, old)).toBe(false);
  });
});
