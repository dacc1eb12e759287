// The script of the page with all highlights.
import { offerQuotes } from './copy-quote.js';
import { closeNotices } from './notices.js';

offerQuotes();
closeNotices();
