import { connect } from 'node:net';

import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/account/phone';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp({ config: { host: '0.0.0.0' } });
  ada = await aVisitor(app);
});
afterAll(() => app.close());
afterEach(() => Object.assign(app.config, { publicUrl: undefined }));

/** Opens the page at a host that the service is reached by. */
const openAt = (host: string) => ada.open(PATH).set('Host', host).expect(200);

describe('the page about phones', () => {
  it('shows the address as a QR code, and what to type into apps', async () => {
    const page = await openAt('satchel.example:3000');

    const text = shownText(page);
    expect(headingOf(page)).toBe('On your phone');
    expect(page.text).toContain('aria-label="QR code of the address http://satchel.example:3000"');
    expect(text).toContain('Type http://satchel.example:3000/save?url= and directly after it');
    expect(text).toContain('for http://satchel.example:3000/v3/add');
    expect(text).toContain('Server address http://satchel.example:3000/wallabag');
    expect(text).toContain(`User name ${ada.user.email}`);
    expect(page.text).toContain('href="/account/keys/clients"');
  });

  it('shows the public https address behind a proxy, and that phones can install the app', async () => {
    Object.assign(app.config, { publicUrl: new URL('https://home.example/satchel/') });

    const page = await openAt('127.0.0.1:3000');

    const text = shownText(page);
    expect(page.text).toContain('aria-label="QR code of the address https://home.example/satchel"');
    expect(text).toContain('The address is https://home.example/satchel');
    expect(text).toContain('Type https://home.example/satchel/save?url= and directly after it');
    expect(text).toContain('for https://home.example/satchel/v3/add');
    expect(text).toContain('Server address https://home.example/satchel/wallabag');
    expect(text).not.toContain('does not begin with https');
  });

  it('says if phones cannot open or install the service', async () => {
    const local = await openAt('127.0.0.1:3000');
    const plain = await openAt('satchel.example');

    expect(shownText(local)).toContain('Only this computer can open the address');
    expect(local.text).not.toContain('<svg class="qr"');
    expect(shownText(plain)).toContain('does not begin with https');
  });

  it('hides the parts that need the address if the client sends no Host (HTTP/1.0)', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${PATH} HTTP/1.0\r\nCookie: ${ada.user.cookie}\r\n\r\n`);

    const page = Buffer.concat(await socket.toArray()).toString();

    expect(page).toMatch(/^HTTP\/1\.1 200 /);
    expect(page).toContain('Satchel cannot show its address');
    expect(page).not.toMatch(/<svg class="qr"|class="address"|#iphone|#wallabag|begin with https/);
    expect(page).toContain('id="android"');
  });

  it.each([
    ['a port above 65535', 'a:99999'],
    ['an incomplete IPv6 address', '[:::]'],
    ['five numbers', '1.2.3.4.5'],
    ['a number above 255', '999.1.1.1'],
    ['invalid Punycode', 'xn--a'],
    ['more than 260 characters', `${'a'.repeat(250)}.example:3000`],
    ['3,000 characters', 'a'.repeat(3000)],
  ])('is not shown if the host has %s', async (_, host) => {
    const page = await ada.open(PATH).set('Host', host).expect(421);

    expect(page.text).not.toContain(host);
    expect(page.text).not.toContain('<svg class="qr"');
  });

  it.each([
    ['the maximum length', `${'a.'.repeat(123)}example:30000`],
    ['an underscore', 'a_b.example'],
  ])('shows a host with %s', async (_, host) => {
    expect(shownText(await openAt(host))).toContain(`The address is http://${host}`);
  });

  it('is linked from the account, from the save page and from the list, and requires a login', async () => {
    for (const path of ['/account', '/save', '/list']) {
      expect((await ada.open(path).expect(200)).text).toContain(`href="${PATH}"`);
    }
    await new PageVisitor(app).open(PATH).expect(303);
  });
});
