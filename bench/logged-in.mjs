/** Logs a user in as a browser does. Returns the cookie. */
export async function loggedIn(address, email, password) {
  const page = await fetch(`${address}/auth/login`);
  const [, token] = /name="_csrf" value="([^"]+)"/.exec(await page.text());
  const cookie = page.headers.getSetCookie()[0].split(';')[0];
  const answer = await fetch(`${address}/auth/login`, {
    ...{ method: 'POST', redirect: 'manual', headers: { cookie } },
    body: new URLSearchParams({ _csrf: token, email, password }),
  });
  return answer.headers.getSetCookie()[0].split(';')[0];
}
