import { Signatures } from '../../platform/common/signatures.js';
import { configFrom } from '../../platform/config/config.js';
import { ImageAddresses } from './image-addresses.js';

const OLD = 'an old secret of 32 bytes or more: 1';
const NEW = 'a newer secret of 32 bytes or more: 2';
const USER = '7';
const PICTURE = { pageId: '12', number: 3, src: 'https://a.example/3.jpg' };

const signedBy = (...secrets: string[]): ImageAddresses =>
  new ImageAddresses(configFrom({ JWT_SECRET: OLD, SESSION_SECRET: secrets.join(',') }));

const signatureOf = (addresses: ImageAddresses): string =>
  addresses.pathOf(USER, PICTURE).split('/').at(-1) ?? '';

describe('the signature in the address of a picture', () => {
  const addresses = signedBy(NEW);
  const signature = signatureOf(addresses);

  it('is good for this picture', () => {
    expect(addresses.pathOf(USER, PICTURE)).toMatch(/^\/images\/12\/3\/7\.[\w-]{32}$/);
    expect(addresses.queueOf(PICTURE, signature)).toBe('user:7');
  });

  it.each([
    { ...PICTURE, src: 'https://a.example/other.jpg' },
    { ...PICTURE, number: 4 },
    { ...PICTURE, pageId: '13' },
    { ...PICTURE, pageId: '1', number: 23 },
  ])('is not good for %j', (other) => {
    expect(addresses.queueOf(other, signature)).toBeUndefined();
  });

  it.each(['', 'A', signature.slice(1), 'A'.repeat(32), signature.replace('7', '8')])(
    'is not %j',
    (madeUp) => {
      expect(addresses.queueOf(PICTURE, madeUp)).toBeUndefined();
    },
  );

  it('is also good without a user, in the queue of the page', () => {
    const { pageId, number, src } = PICTURE;
    const old = new Signatures([NEW], 'satchel image addresses').of(`${pageId}/${number}/${src}`);

    expect(addresses.queueOf(PICTURE, old)).toBe('page:12');
  });

  it('stays good while its secret is the second, and ends with it', () => {
    const old = signatureOf(signedBy(OLD));

    expect(signedBy(NEW, OLD).queueOf(PICTURE, old)).toBe('user:7');
    expect(signatureOf(signedBy(NEW, OLD))).toBe(signature);
    expect(addresses.queueOf(PICTURE, old)).toBeUndefined();
  });
});
