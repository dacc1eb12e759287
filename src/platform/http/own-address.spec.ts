import { isKnownHost, ownAddress } from './own-address.js';

const LOCAL = { host: '127.0.0.1', publicUrl: undefined, trustProxy: false } as const;
const NETWORK = { ...LOCAL, host: '0.0.0.0' };
const PUBLIC = { ...NETWORK, publicUrl: new URL('https://Satchel.Reader.org:8443/satchel') };
const NAMES_IN_NETWORK = [
  ...['nas', 'my_nas:3000', 'satchel.', 'xn--bcher-kva'],
  ...['nas.local', 'Nas.Local:3000', 'nas.local.', 'satchel.default.svc.cluster.local'],
  ...['nas.internal', 'nas.home.arpa', 'nas.lan', 'nas.home', 'nas.localdomain'],
  ...['satchel.onion', 'satchel.test'],
];

describe('isKnownHost', () => {
  it.each([
    ...['127.0.0.1', '127.0.0.1:3000', '192.168.1.5:80', '8.8.8.8', '127.0.0.1.', '0x7f.1'],
    ...['[::1]', '[::1]:3000', '[FE80::1]:3000', '[::ffff:127.0.0.1]'],
    ...['localhost', 'localhost:3000', 'LOCALHOST', 'localhost.', 'satchel.localhost'],
  ])('accepts %s, which no DNS server can point to another machine', (host) => {
    expect(isKnownHost(host, LOCAL)).toBe(true);
    expect(isKnownHost(host, NETWORK)).toBe(true);
  });

  it.each(NAMES_IN_NETWORK)(
    'accepts %s, unless only this machine can reach the service',
    (host) => {
      expect(isKnownHost(host, NETWORK)).toBe(true);
      expect(isKnownHost(host, { ...LOCAL, trustProxy: 1 })).toBe(true);
      expect(isKnownHost(host, { ...LOCAL, publicUrl: new URL('https://satchel.org') })).toBe(true);
      expect(isKnownHost(host, LOCAL)).toBe(false);
      expect(isKnownHost(host, { ...LOCAL, publicUrl: new URL('http://localhost') })).toBe(false);
    },
  );

  it.each([
    ...['evil.com', 'evil.com:3000', 'EVIL.COM', 'evil.com.', 'a.b.evil.com', 'evil.dev'],
    ...[
      'localhost.evil.com',
      '127.0.0.1.evil.com',
      'local.com',
      'notlocalhost.com',
      'evil.home-arpa',
    ],
    ...['evil.arpa', '127.0.0.1.nip.io', '192-168-1-5.sslip.io', 'evil.xlocal', 'evil.ai'],
  ])('rejects %s, which a stranger can register', (host) => {
    expect(isKnownHost(host, NETWORK)).toBe(false);
  });

  it.each([
    ...['', ' ', ':3000', 'evil.com@localhost', 'localhost@evil.com', 'evil.com/.local'],
    ...['evil.com#.local', 'evil.com?.local', 'evil.com\\.local', 'localhost:99999', '1.2.3.4.5'],
    ...['[:::]', '[::1', 'localhost, evil.com', 'evil.com%2elocal', 'evil。local'],
  ])('rejects %j, which is not a host', (host) => {
    expect(isKnownHost(host, NETWORK)).toBe(false);
  });

  it('accepts the host of PUBLIC_URL at any port, but no host above or below it', () => {
    for (const host of ['satchel.reader.org', 'SATCHEL.reader.org:3000', 'satchel.reader.org.']) {
      expect(isKnownHost(host, PUBLIC)).toBe(true);
    }
    for (const host of ['reader.org', 'x.satchel.reader.org', 'satchel.reader.org.evil.com']) {
      expect(isKnownHost(host, PUBLIC)).toBe(false);
    }
  });

  it('accepts the name in HOST', () => {
    const config = { ...NETWORK, host: 'Nas.Reader.org' };

    expect(isKnownHost('nas.reader.org:3000', config)).toBe(true);
    expect(isKnownHost('reader.org', config)).toBe(false);
  });

  it.each(['0.0.0.0', '::', '[::]'])('accepts no public name because of HOST %s', (host) => {
    expect(isKnownHost('evil.com', { ...NETWORK, host })).toBe(false);
  });
});

it('ownAddress accepts names with underscores, which local networks may have', () => {
  expect(ownAddress({ protocol: 'http', host: 'my_nas:3000' }, undefined)).toBe(
    'http://my_nas:3000',
  );
});
