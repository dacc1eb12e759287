import { passkeySite } from './passkey-site.js';

const siteOf = (address: string, publicUrl?: string) => {
  const [protocol = '', host = ''] = address.split('://');
  return passkeySite(
    { protocol, host } as Parameters<typeof passkeySite>[0],
    publicUrl === undefined ? undefined : new URL(publicUrl),
  );
};

describe('passkeySite', () => {
  it.each([
    ['https://reader.example.com', { domain: 'reader.example.com' }],
    ['https://Reader.Example.com:8443', { domain: 'reader.example.com' }],
    ['http://localhost:3000', { domain: 'localhost' }],
  ])('returns the host of the request to %s', (address, site) => {
    expect(siteOf(address)).toEqual({ ...site, origin: address.toLowerCase() });
  });

  it.each(['https://reader.example.com', 'https://reader.example.com/sub/path'])(
    'returns the host of the public address %s',
    (publicUrl) => {
      expect(siteOf('http://other.example.com', publicUrl)).toEqual({
        domain: 'reader.example.com',
        origin: 'https://reader.example.com',
      });
    },
  );

  it.each([
    'http://127.0.0.1:3000',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]:3000',
    'http://evil.example.com/path',
    'http://user@evil.example.com',
    'http://',
  ])('returns undefined for the host of %s', (address) => {
    expect(siteOf(address)).toBeUndefined();
  });

  it('returns undefined if the public address is an IP address', () => {
    expect(siteOf('http://reader.example.com', 'http://192.0.2.1')).toBeUndefined();
  });
});
