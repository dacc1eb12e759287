import { describePdf } from './describe-pdf.js';

export default describePdf;
