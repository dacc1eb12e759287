const [account, add] = document.forms;
const [status, list] = ['[role=status]', 'ul'].map((one) => document.querySelector(one));
let credentials;

/**
 * Sends a call as JSON, without cookies.
 * @throws Error with the service's message
 */
async function post(path, body) {
  const response = await fetch(account.server.value.replace(/\/$/, '') + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...credentials, ...body }),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(response.headers.get('X-Error') ?? [answer.message].flat().join(', '));
  }
  return answer;
}

/** Runs an action, then shows the updated list, or the error. */
async function run(work) {
  try {
    await work();
    const { list: items } = await post('/v3/get', { state: 'unread', sort: 'newest' });
    list.replaceChildren(...Object.values(items).map(entryOf));
    status.textContent = '';
  } catch (error) {
    status.textContent = error.message;
  }
}

function entryOf({ item_id, given_url, resolved_title }) {
  const [entry, archive] = ['li', 'button'].map((name) => document.createElement(name));
  archive.textContent = 'Archive';
  archive.onclick = () =>
    run(() => post('/v3/send', { actions: [{ action: 'archive', item_id }] }));
  entry.append(resolved_title || given_url, ' ', archive);
  return entry;
}

account.onsubmit = (event) => {
  event.preventDefault();
  const [consumer_key, email, password] = ['consumer_key', 'email', 'password'].map(
    (name) => account[name].value,
  );
  run(async () => {
    credentials = {};
    if (event.submitter.value === 'register') {
      await post('/register', { name: email, email, password });
    }
    // The token expires in minutes. `/refresh` exchanges the refresh token from the same answer for new tokens.
    const { access_token } = await post('/login', { email, password });
    credentials = { consumer_key, access_token };
    add.hidden = false;
  });
};

add.onsubmit = (event) => {
  event.preventDefault();
  run(() => post('/v3/add', { url: add.url.value }));
};
