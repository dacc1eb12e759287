// Checks of calls and pages that apps request before they log in.
import assert from 'node:assert/strict';

const ORIGIN = 'https://app.example.org';
const LOGO = /<img\b[^>]*alt="?wallabag logo"? ?\/?>/;
const LOGIN_FORM = /<form action="[^"]*\/login_check" method="post" name="loginform">/;
const LOGIN_TOKEN = /<input type="hidden" name="_csrf_token" value="([^" ]+)" ?\/?>/;
const CLIENT_TOKEN =
  /<input type="hidden" id="client__token" name="client\[_token\]" value="([^" ]+)" ?\/?>/;

/** A minimal browser, as in an app: it keeps cookies and follows one redirect. */
class Visitor {
  #cookies = new Map();

  constructor(work) {
    this.work = work;
  }

  async ask(path, options = {}) {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const headers = cookie === '' ? {} : { Cookie: cookie };
    const answer = await this.work.raw(path, { ...options, headers });
    for (const one of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  async open(path) {
    const answer = await this.ask(path);
    const { location } = answer.headers;
    if (answer.status < 300 || location === undefined) return answer;
    const { pathname, search } = new URL(location, `${this.work.base}${path}`);
    const root = new URL(this.work.base).pathname.replace(/\/$/, '');
    assert.ok(pathname.startsWith(root), `${path} leads out of the base path, to ${location}`);
    return this.ask(`${pathname.slice(root.length)}${search}`);
  }
}

const tokenIn = (text, pattern) => {
  const [, token] = pattern.exec(text) ?? [];
  assert.ok(token, `no ${pattern}`);
  return token;
};

async function loggedIn(work) {
  const visitor = new Visitor(work);
  const page = await visitor.open('/');
  assert.match(page.text, LOGIN_FORM);
  assert.match(page.text, LOGO);
  const { username, password } = work.person;
  const answer = await visitor.ask('/login_check', {
    ...{ method: 'POST', as: 'form' },
    members: {
      ...{ _username: username, _password: password },
      _csrf_token: tokenIn(page.text, LOGIN_TOKEN),
    },
  });
  assert.equal(answer.status, 302, `/login_check: status ${answer.status}`);
  assert.doesNotMatch(answer.headers.location ?? '', /\/login(\?|$)/);
  return visitor;
}

export const SERVER = [
  {
    name: 'version',
    rule: 'Android, Frigoligo, Wallabagger',
    says: 'version is a JSON string of three numbers, 2.4.0 or later and before 10, without a token or a line break',
    run: async (work) => {
      const { status, text } = await work.raw('/api/version');
      assert.equal(status, 200);
      assert.match(text, /^"\d\.\d\.\d+"$/);
      assert.ok(JSON.parse(text) >= '2.4.0', text);
    },
  },
  {
    name: 'appname',
    rule: 'Frigoligo',
    says: 'info has the appname wallabag, a version and allowed_registration, without a token',
    run: async (work) => {
      const info = await work.ok(work.raw('/api/info'));
      assert.equal(info.appname, 'wallabag');
      assert.equal(typeof info.version, 'string');
      assert.equal(typeof info.allowed_registration, 'boolean');
    },
  },
  {
    name: 'config',
    rule: 'iOS',
    says: 'config has seven members that are not null',
    run: async (work) => {
      const config = await work.ok(work.get('config'));
      const numbers = ['id', 'items_per_page', 'feed_limit', 'action_mark_as_read', 'list_mode'];
      for (const name of numbers) assert.ok(Number.isInteger(config[name]), name);
      assert.equal(typeof config.reading_speed, 'number');
      assert.equal(typeof config.language, 'string');
    },
  },
  {
    name: 'cors',
    rule: 'Frigoligo on the web, Wallabagger',
    says: 'scripts of any origin may call /api and /oauth with all methods, a token and JSON',
    run: async (work) => {
      for (const path of ['/api/entries/1.json', '/oauth/v2/token']) {
        const { status, headers } = await work.raw(path, {
          method: 'OPTIONS',
          headers: {
            Origin: ORIGIN,
            'Access-Control-Request-Method': 'PATCH',
            'Access-Control-Request-Headers': 'authorization,content-type',
          },
        });
        assert.ok(status < 300, `OPTIONS ${path}: status ${status}`);
        const allowed = (name) => String(headers[`access-control-allow-${name}`]).toLowerCase();
        assert.ok(['*', ORIGIN].includes(allowed('origin')), `origin ${allowed('origin')}`);
        for (const method of ['get', 'post', 'put', 'patch', 'delete'])
          assert.ok(allowed('methods').includes(method), `no ${method}`);
        for (const header of ['authorization', 'content-type'])
          assert.ok(allowed('headers').includes(header), `no ${header}`);
      }
    },
  },
  {
    name: 'plain-http',
    rule: 'Android, KOReader',
    says: 'a server whose address is http sends no call to https',
    isRun: ({ base }) => base.startsWith('http:'),
    run: async (work) => {
      for (const answer of [await work.raw('/api/version'), await work.logIn()])
        assert.equal(answer.status, 200, `status ${answer.status}`);
    },
  },
  {
    name: 'head',
    rule: 'Frigoligo',
    says: 'HEAD of the base path and of /favicon.ico is answered without an error of the server',
    run: async (work) => {
      for (const path of ['/', '/favicon.ico']) {
        const { status } = await work.raw(path, { method: 'HEAD' });
        assert.ok(status < 500, `HEAD ${path}: status ${status}`);
      }
    },
  },
  {
    name: 'login-page',
    rule: 'Android, Wallabako',
    says: 'the base path shows a login form that Android knows, and after the login a link to log out',
    run: async (work) => {
      const home = await (await loggedIn(work)).open('/');
      assert.match(home.text, LOGO);
      assert.match(home.text, /\/logout">/);
      assert.doesNotMatch(home.text, LOGIN_FORM);
    },
  },
  {
    name: 'client-page',
    rule: 'Android',
    says: '/developer answers, and /developer/client/create has the form by which Android makes its client',
    run: async (work) => {
      const visitor = await loggedIn(work);
      assert.equal((await visitor.ask('/developer')).status, 200);
      const { text } = await visitor.ask('/developer/client/create');
      tokenIn(text, CLIENT_TOKEN);
    },
  },
];
