import { guessedLanguage } from './language.js';

it.each([
  [
    'en',
    'The tower at the end of the pier spoke in light only, and those who steered by it knew each of its words.',
  ],
  [
    'de',
    'Ein Netz zu flicken ist keine Arbeit, die man jemandem erklären kann, der es nicht schon gesehen hat.',
  ],
  [
    'fr',
    'La tour au bout de la jetée ne parlait que par la lumière, et ceux qui naviguaient la comprenaient.',
  ],
  [
    'es',
    'La torre al final del muelle hablaba solo con la luz, y los que navegaban por ella la entendían.',
  ],
  [
    'it',
    'La torre alla fine del molo parlava solo con la luce, e chi navigava ne conosceva tutte le parole.',
  ],
  [
    'nl',
    'De toren aan het einde van de pier sprak alleen met licht, en wie erop voer kende al zijn woorden.',
  ],
  [
    'pl',
    'Wieża na końcu mola mówiła tylko światłem, a ci, którzy na nią płynęli, nie potrzebowali do tego słów.',
  ],
  [
    'ja',
    '朝の港はとても静かで、船はまだ眠っています。漁師たちは暗いうちに起きて、網を準備し、海へ出ます。',
  ],
  [
    'zh',
    '早晨的港口非常安静，船还在睡觉。渔民们在天亮之前起床，准备渔网，喝一杯热茶，然后出海捕鱼，直到太阳升起。',
  ],
  [
    'ko',
    '아침 항구는 아주 조용하고 배들은 아직 잠들어 있습니다. 어부들은 어두울 때 일어나 그물을 준비하고 바다로 나갑니다.',
  ],
  [
    'ru',
    'Башня в конце пирса говорила только светом, и те, кто шел по ней, знали каждое ее слово наизусть.',
  ],
  [
    'uk',
    'Вежа в кінці пірсу говорила лише світлом, і ті, хто йшов за нею, знали кожне її слово напам’ять.',
  ],
  ['', 'Lorem 1234'],
  ['', ''],
])('%s: %s', (lang, text) => {
  expect(guessedLanguage(text)).toBe(lang);
});
