import { run, saveLink, saveQuietly } from './lib/commands.js';
import { advance, giveUp } from './lib/connect.js';
import { text } from './lib/texts.js';
import { lookAt } from './lib/watch.js';

const ON_THE_WEB = ['http://*/*', 'https://*/*'];

chrome.runtime.onInstalled.addListener(() => void makeMenus());
chrome.runtime.onMessage.addListener((message, _, answer) => {
  void run(message).then(answer);
  return true;
});
// Firefox for Android has no context menus and no keyboard shortcuts.
chrome.contextMenus?.onClicked.addListener(({ menuItemId, linkUrl = '', linkText = '' }, tab) => {
  void (menuItemId === 'save-link' ? saveLink(linkUrl, linkText, tab) : saveQuietly(tab));
});
chrome.commands?.onCommand.addListener((command, tab) => {
  if (command === 'save-page') {
    void saveQuietly(tab);
  }
});
chrome.tabs.onUpdated.addListener((tabId, { status }, tab) => {
  if (status === 'complete') {
    void advance(tabId, tab.url ?? '');
    void lookAt(tabId, tab);
  }
});
chrome.tabs.onActivated.addListener(({ tabId }) => {
  void chrome.tabs.get(tabId).then((tab) => lookAt(tabId, tab));
});
chrome.tabs.onRemoved.addListener((tabId) => void giveUp(tabId));

async function makeMenus() {
  const menus = chrome.contextMenus;
  await menus?.removeAll();
  menus?.create({
    id: 'save-page',
    title: text('menu.savePage'),
    contexts: ['page'],
    documentUrlPatterns: ON_THE_WEB,
  });
  menus?.create({
    id: 'save-link',
    title: text('menu.saveLink'),
    contexts: ['link'],
    targetUrlPatterns: ON_THE_WEB,
  });
}
