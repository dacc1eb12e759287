import { PageVisitor } from '../page-visitor.js';
import type { TestApp } from '../test-app.js';
import type { Settings } from './device.js';
import { UnreadableError } from './models.js';

const LOGO = /<img [^>]*alt="wallabag logo" ?\/?>/;
const LOGIN_TOKEN = /<input type="hidden" name="_csrf_token" value="([^" ]+)" \/>/;
const CLIENT_TOKEN =
  /<input type="hidden" id="client__token" name="client\[_token\]" value="([^" ]+)" \/>/;
const VALUE = String.raw`\s*<li>[^<]*<strong><pre>([^<]+)<\/pre><\/strong><\/li>`;
const NEW_CLIENT = new RegExp(`<ul>${VALUE}${VALUE}${VALUE}`);

const found = ({ text: page }: { text: string }, pattern: RegExp, group = 1): string => {
  const match = pattern.exec(page);
  if (match === null) {
    throw new UnreadableError(`${pattern.source} expected on a page`);
  }
  return match[group] ?? '';
};

/**
 * Finds the credentials of a client on the service's pages. The app does this if a person only enters an address, a
 * name and a password.
 */
export async function androidSettings(
  app: TestApp,
  { username, password }: Pick<Settings, 'username' | 'password'>,
): Promise<Settings> {
  const visitor = new PageVisitor(app);
  const login = await visitor.open('/wallabag/').redirects(5);
  found(login, LOGO, 0);
  const sent = { _username: username, _password: password };
  await visitor
    .post('/wallabag/login_check', { ...sent, _csrf_token: found(login, LOGIN_TOKEN) })
    .redirects(5);
  found(await visitor.open('/wallabag/').redirects(5), /\/logout">/, 0);
  const creation = await visitor.open('/wallabag/developer/client/create').expect(200);
  const made = await visitor.post('/wallabag/developer/client/create', {
    ...{ 'client[name]': 'Android app', 'client[redirect_uris]': '', 'client[save]': '' },
    'client[_token]': found(creation, CLIENT_TOKEN),
  });
  const [clientId, clientSecret] = [found(made, NEW_CLIENT, 2), found(made, NEW_CLIENT, 3)];
  return { base: `${app.url}/wallabag`, clientId, clientSecret, username, password };
}
