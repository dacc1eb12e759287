import { createHash } from 'node:crypto';

const WORDS =
  'a about after again against air all along among answer archive around art autumn bakery bank beach before behind best better between bicycle bird book border bread bridge brief bright build business candle canal capital case castle century change child city climate coast code cold common company compiler country craft culture database dawn days death deep desert design difference doctor door dream early earth east economy editor edge electric empire engine essay evening experiment family farm fast fiction field film fire first fish food forest forgotten four free frontier future garden ghost glass gold government grammar grid ground guide hand harbour health heart heat hidden history home honest hotel hours house how human idea inside interview island journey kernel keyboard kitchen knowledge lamp language last learning letter library life light lighthouse limits line list living local long lost machine making map market mathematics memory metal migration mind mirror model modern money moon morning mountain museum music mystery name network new night north notes novel ocean old open orchestra origin other paper past patience pattern people philosophy photograph physics piano place planet plants poetry politics postgres practice price prison problem programming proof public question quiet radio railway rain reader reading reason river road robot room rules salt school science sea search secret shape ship short silence simple singing sky slow small snow software soil solar song south space speed spring stars station stone story strange street summer sun system table tea technology theory things thinking time tools town trade train translation travel trees truth type under universe unlikely value violin voice walking war water weather week what when where why wild wind window winter women wood word work world writing year young'.split(
    ' ',
  );
const HOSTS = 'com org net io co.uk de fr news'.split(' ');

/** Returns a number that depends only on the text. */
const drawn = (text) => createHash('sha256').update(text).digest().readUInt32LE();
const wordOf = (text) => WORDS[drawn(text) % WORDS.length] ?? '';

/** Returns pages whose titles and addresses are as varied as those of a real list, so they do not compress too well. */
export const headlines = (count) =>
  Array.from({ length: count }, (_, at) => {
    const words = Array.from({ length: 4 + (at % 6) }, (__, word) => wordOf(`${at} ${word}`));
    const title = words.join(' ');
    const host = `${wordOf(`host ${at}`)}${wordOf(`${at} host`)}.${HOSTS[at % HOSTS.length]}`;
    return {
      title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      url: `https://${host}/${2010 + (at % 16)}/${words.join('-')}`,
      tags: at % 3 === 0 ? wordOf(`tag ${at}`) : '',
    };
  });
