import { t } from './text.js';

/** Offers the time zone of the browser, unless the user has chosen it. */
const select = document.querySelector('#zone');
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

if (select instanceof HTMLSelectElement && zone !== (select.value || 'UTC')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = t('scripts.useTimeZone', { zone });
  button.addEventListener('click', () => {
    if (![...select.options].some(({ value }) => value === zone)) {
      select.add(new Option(zone, zone));
    }
    select.value = zone;
    button.remove();
    select.focus();
  });
  select.after(button);
}
