import request, { type Response, type Test } from 'supertest';

import { type DomElement, parseDocument } from '../../src/lib/extraction/dom.js';
import type { Person } from './account-api.js';
import type { TestApp } from './test-app.js';

type Fields = Readonly<Record<string, string | string[]>>;

/** A form of a page, as a browser would submit it. */
interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A browser without scripts. It follows links, submits forms and keeps cookies. */
export class PageVisitor {
  readonly agent: ReturnType<typeof request.agent>;

  constructor(app: TestApp) {
    this.agent = request.agent(app.url);
  }

  open(path: string): Test {
    return this.agent.get(path);
  }

  post(path: string, fields: Fields): Test {
    return this.agent.post(path).type('form').send(fields);
  }

  /** Submits a form with these fields. */
  submit(form: PageForm, fields: Fields = {}): Test {
    return this.post(form.action, { ...form.fields, ...fields });
  }

  /** Opens a page and returns its form. The form must exist. */
  async form(path: string, action: string): Promise<PageForm> {
    return formIn(await this.open(path).expect(200), action);
  }

  async logIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
    const form = await this.form('/auth/login', '/auth/login');
    await this.submit(form, { email, password }).expect(303);
  }

  /** Answers the consent page of an application. Returns the response to the browser. */
  async answer(code: string, decision: string, redirectUri?: string): Promise<Response> {
    const form = await this.form(consentPath(code, redirectUri), '/auth/authorize');
    return this.submit(form, { decision });
  }

  async csrfToken(): Promise<string> {
    return (await this.form('/account', '/auth/leave')).fields['_csrf'] ?? '';
  }
}

export const consentPath = (code: string, redirectUri?: string): string =>
  `/auth/authorize?${new URLSearchParams({
    request_token: code,
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
  }).toString()}`;

const bodyOf = ({ text }: Response): DomElement => parseDocument(text).body;

/** Returns the form of a page that is submitted to `action`. */
export function formIn(page: Response, action: string): PageForm {
  const form = bodyOf(page).querySelector(`form[action="${action}"]`);
  const inputs = [...(form?.querySelectorAll('input') ?? [])];
  const fields = inputs
    .filter((input) => input.getAttribute('type') !== 'checkbox')
    .filter((input) => input.getAttribute('type') !== 'radio' || input.hasAttribute('checked'))
    .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']);
  if (form === null) {
    throw new Error(`there is no form to ${action} on this page: ${page.text}`);
  }
  return { action, fields: Object.fromEntries(fields) as PageForm['fields'] };
}

/** Returns the target of a redirect. */
export const locationOf = ({ headers }: Response): string => headers['location'] ?? '';

export const headingOf = (page: Response): string =>
  bodyOf(page).querySelector('h1')?.textContent?.trim() ?? '';

/** Returns the visible text with collapsed white space. */
export const shownText = (page: Response, selector = 'main'): string =>
  (bodyOf(page).querySelector(selector)?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
