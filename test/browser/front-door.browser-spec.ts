import type { Browser, Page } from 'playwright-core';

import { TestIssuer } from '../support/an-issuer.js';
import { launchChromium } from '../support/chromium.js';
import { linkIn, MailServer } from '../support/mail-server.js';
import { until, type Variables } from '../support/processes.js';
import { aFreePort, Installation, type ServiceProcess } from '../support/service-process.js';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const GRACE = { name: 'Grace', email: 'grace@example.com', password: 'a longer pass phrase' };
const NEXT = 'another pass phrase';

let mails: MailServer;
let issuer: TestIssuer;
let installation: Installation;
let service: ServiceProcess;
let browser: Browser;
/** The service takes this for a public host name. */
let url: string;
/** An issuer without TLS is only allowed on this machine. */
let localUrl: string;
let variables: Variables;
let page: Page;

beforeAll(async () => {
  const port = await aFreePort();
  url = `http://satchel.example:${port}`;
  mails = await MailServer.begin();
  localUrl = `http://satchel.localhost:${port}`;
  issuer = await TestIssuer.of(localUrl);
  issuer.people.set('ada', { email: ADA.email, email_verified: true });
  const { serverUrl, from } = mails.settings;
  variables = { PORT: port, PUBLIC_URL: url, SMTP_URL: serverUrl, MAIL_FROM: from };
  installation = new Installation();
  service = await installation.started(variables);
  browser = await launchChromium('--host-resolver-rules=MAP satchel.example 127.0.0.1');
});
afterAll(async () => {
  await browser.close();
  await installation.close();
  issuer.stop();
  await mails.close();
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page.context().close());

const heading = (name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();

async function register({ name, email, password }: typeof ADA): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading('Unread');
}

/** Retries, because a busy service may report that the issuer does not answer. */
const openIssuer = (): Promise<void> =>
  until(async () => {
    await page.goto(`${localUrl}/account`);
    await page.getByRole('link', { name: 'Log in with Home ID' }).click();
    const name = page.getByLabel('Name').waitFor({ timeout: 10_000 });
    return name.then(
      () => true,
      () => false,
    );
  }, 'the page of the issuer');

const command = (...words: string[]) => installation.run(['user', ...words], { variables });

it('only the owner and an invited person can create accounts on a fresh installation', async () => {
  expect(service.stdout).toContain('Registration is open for the first account');
  await page.goto(url);
  await register(ADA);

  await page.context().clearCookies();
  await page.goto(url);
  expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
  await page.goto(`${url}/auth/register`);
  await heading('You cannot create an account');

  expect((await command('invite', '--email', GRACE.email)).code).toBe(0);
  await page.goto(`${url}${linkIn(await mails.mailTo(GRACE.email), url)}`);
  await register(GRACE);
});

it('a user resets a lost password by mail', async () => {
  await page.goto(`${url}/auth/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(GRACE.email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await heading('Check your email');

  await page.goto(`${url}${linkIn(await mails.mailTo(GRACE.email, 2), url)}`);
  await page.getByLabel('New password').fill(NEXT);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Email address').fill(GRACE.email);
  await page.getByLabel('Password').fill(NEXT);
  await page.getByRole('button', { name: 'Log in' }).click();

  await heading('Unread');
});

it('an owner logs in through an OIDC issuer while password login is off', async () => {
  const { address, clientId, clientSecret, name } = issuer.settings;
  service.kill('SIGTERM');
  await service.ended;
  service = await installation.started({
    ...{ ...variables, PUBLIC_URL: localUrl, REGISTRATION: 'closed', PASSWORD_LOGIN: 'off' },
    ...{ OIDC_ISSUER: address.href, OIDC_NAME: name },
    ...{ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
  });

  await page.goto(`${localUrl}/account`);
  expect(await page.getByLabel('Password').count()).toBe(0);
  await openIssuer();
  await page.getByLabel('Name').fill('ada');
  await page.getByRole('button', { name: 'Enter' }).click();

  await heading('Your account');
  expect(await page.getByText(ADA.email).first().isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(1);
});
