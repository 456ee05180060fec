/** Phrases of one language. One is drawn from each list, and they are joined in this order. */
interface Grammar {
  /** One sentence about `{}`. */
  readonly sentence: readonly (readonly string[])[];
  /** A text of `{n}` words about `{}`. */
  readonly text: readonly (readonly string[])[];
  /** Between two names of the same subject. */
  readonly alias: readonly string[];
}

export type Draw = <T>(from: readonly T[]) => T | undefined;

const english: Grammar = {
  sentence: [
    ['Write', 'Please write', 'Give me', 'I need', 'Compose', 'Draft', 'Think of', 'Suggest'],
    ['one short sentence', 'a single sentence', 'one simple sentence', 'a brief line', 'one line'],
    ['about {}', 'on {}', 'that mentions {}', 'with {} in it', 'about the name {}', 'for {}'],
    ['', 'to open a letter', 'for a poster', 'for a card', 'for my page', 'for a quiz', 'to sing'],
  ],
  text: [
    ['Write', 'Please write', 'Give me', 'I need', 'Draft', 'Compose'],
    [
      '{n} words',
      'about {n} words',
      'a text of {n} words',
      'an essay of {n} words',
      'a story of {n} words',
    ],
    ['about {}', 'on {}', 'on the life of {}', 'about somebody called {}', 'in praise of {}'],
    ['', 'for a blog', 'for our magazine', 'for a school paper', 'for a speech', 'for a show'],
  ],
  alias: [', also called ', ', known as ', ', alias ', ', whom friends call '],
};

const german: Grammar = {
  sentence: [
    ['Schreib', 'Schreibe bitte', 'Formuliere', 'Ich brauche', 'Gib mir', 'Verfasse'],
    ['einen kurzen Satz', 'einen einzigen Satz', 'eine kurze Zeile', 'einen einfachen Satz'],
    ['über {}', 'mit dem Wort {}', 'zu {}', 'über den Namen {}', 'für {}'],
    ['', 'für eine Karte', 'für ein Plakat', 'als Anfang eines Briefs', 'für meine Seite'],
  ],
  text: [
    ['Schreib', 'Schreibe bitte', 'Verfasse', 'Ich brauche', 'Gib mir'],
    [
      '{n} Wörter',
      'etwa {n} Wörter',
      'einen Text von {n} Wörtern',
      'einen Aufsatz von {n} Wörtern',
    ],
    ['über {}', 'zu {}', 'über das Leben von {}', 'zum Lob von {}'],
    ['', 'für einen Blog', 'für unsere Zeitung', 'für eine Rede', 'für die Schule'],
  ],
  alias: [', auch ', ', genannt ', ', bekannt als '],
};

const french: Grammar = {
  sentence: [
    ['Écris', 'Écrivez', 'Rédige', 'Donne-moi', 'Il me faut', 'Propose'],
    ['une courte phrase', 'une seule phrase', 'une phrase simple', 'une ligne'],
    ['sur {}', 'à propos de {}', 'avec le mot {}', 'pour {}', 'sur le nom {}'],
    ['', 'pour une carte', 'pour une affiche', 'pour mon site', 'pour notre lettre'],
  ],
  text: [
    ['Écris', 'Écrivez', 'Rédige', 'Il me faut', 'Donne-moi'],
    ['{n} mots', 'environ {n} mots', 'un texte de {n} mots', 'un récit de {n} mots'],
    ['sur {}', 'à propos de {}', 'sur la vie de {}', 'en hommage à {}'],
    ['', 'pour un blog', 'pour notre revue', 'pour un discours', 'pour une exposition'],
  ],
  alias: [', aussi appelé ', ', dit ', ', connu comme '],
};

const spanish: Grammar = {
  sentence: [
    ['Escribe', 'Por favor, escribe', 'Redacta', 'Dame', 'Necesito', 'Propón'],
    ['una frase corta', 'una sola frase', 'una frase sencilla', 'una línea'],
    ['sobre {}', 'con la palabra {}', 'acerca de {}', 'para {}', 'sobre el nombre {}'],
    ['', 'para una tarjeta', 'para un cartel', 'para mi página', 'para una carta'],
  ],
  text: [
    ['Escribe', 'Por favor, escribe', 'Redacta', 'Necesito', 'Dame'],
    ['{n} palabras', 'unas {n} palabras', 'un texto de {n} palabras', 'un relato de {n} palabras'],
    ['sobre {}', 'acerca de {}', 'sobre la vida de {}', 'en honor de {}'],
    ['', 'para un blog', 'para nuestra revista', 'para un discurso', 'para la escuela'],
  ],
  alias: [', también llamado ', ', conocido como ', ', alias '],
};

const italian: Grammar = {
  sentence: [
    ['Scrivi', 'Per favore scrivi', 'Componi', 'Dammi', 'Mi serve', 'Proponi'],
    ['una breve frase', 'una sola frase', 'una frase semplice', 'una riga'],
    ['su {}', 'con la parola {}', 'a proposito di {}', 'per {}', 'sul nome {}'],
    ['', 'per un biglietto', 'per un manifesto', 'per il mio sito', 'per una lettera'],
  ],
  text: [
    ['Scrivi', 'Per favore scrivi', 'Componi', 'Mi servono', 'Dammi'],
    ['{n} parole', 'circa {n} parole', 'un testo di {n} parole', 'un racconto di {n} parole'],
    ['su {}', 'a proposito di {}', 'sulla vita di {}', 'in onore di {}'],
    ['', 'per un blog', 'per la nostra rivista', 'per un discorso', 'per la scuola'],
  ],
  alias: [', detto anche ', ', noto come ', ', alias '],
};

const portuguese: Grammar = {
  sentence: [
    ['Escreva', 'Por favor, escreva', 'Redija', 'Preciso de', 'Sugira'],
    ['uma frase curta', 'uma única frase', 'uma frase simples', 'uma linha'],
    ['sobre {}', 'com a palavra {}', 'a respeito de {}', 'para {}', 'sobre o nome {}'],
    ['', 'para um cartão', 'para um cartaz', 'para o meu site', 'para uma carta'],
  ],
  text: [
    ['Escreva', 'Por favor, escreva', 'Redija', 'Preciso de'],
    [
      '{n} palavras',
      'cerca de {n} palavras',
      'um texto de {n} palavras',
      'um conto de {n} palavras',
    ],
    ['sobre {}', 'a respeito de {}', 'sobre a vida de {}', 'em louvor de {}'],
    ['', 'para um blog', 'para a nossa revista', 'para um discurso', 'para a escola'],
  ],
  alias: [', também chamado ', ', conhecido como ', ', vulgo '],
};

const dutch: Grammar = {
  sentence: [
    ['Schrijf', 'Schrijf alsjeblieft', 'Geef me', 'Bedenk', 'Maak', 'Ik zoek'],
    ['een korte zin', 'één enkele zin', 'een eenvoudige zin', 'een regel'],
    ['over {}', 'met het woord {}', 'voor {}', 'over de naam {}'],
    ['', 'voor een kaart', 'voor een poster', 'voor mijn site', 'voor een brief'],
  ],
  text: [
    ['Schrijf', 'Schrijf alsjeblieft', 'Geef me', 'Ik zoek'],
    [
      '{n} woorden',
      'ongeveer {n} woorden',
      'een tekst van {n} woorden',
      'een verhaal van {n} woorden',
    ],
    ['over {}', 'over het leven van {}', 'ter ere van {}'],
    ['', 'voor een blog', 'voor ons blad', 'voor een toespraak', 'voor school'],
  ],
  alias: [', ook wel ', ', bekend als ', ', alias '],
};

/** Languages that models of every vendor read. Half of the prompts are English, as is usual. */
export const grammars: readonly Grammar[] = [
  english,
  german,
  english,
  french,
  english,
  spanish,
  english,
  italian,
  english,
  portuguese,
  english,
  dutch,
];

/** Returns a request for one short sentence. @param names of its subject */
export function sentenceAbout(names: readonly string[], draw: Draw): string {
  return promptOf('sentence', names, draw);
}

/** Returns a request for a text with a number of words. @param names of its subject */
export function textAbout(words: number, names: readonly string[], draw: Draw): string {
  return promptOf('text', names, draw).replace('{n}', String(words));
}

function promptOf(what: 'sentence' | 'text', names: readonly string[], draw: Draw): string {
  const grammar = draw(grammars) ?? english;
  const about = names.join(draw(grammar.alias) ?? ', ');
  const parts = grammar[what].map((list) => draw(list) ?? '').filter((part) => part !== '');
  return `${parts.join(' ')}.`.replace('{}', () => about);
}

const cities = (
  'Paris Rome Lisbon Oslo Vienna Prague Madrid Berlin Athens Dublin Helsinki Warsaw Bern Riga Tallinn Vilnius ' +
  'Zagreb Sofia Bucharest Budapest Brussels Cairo Nairobi Lagos Dakar Tunis Tokyo Seoul Delhi Mumbai Bangkok ' +
  'Hanoi Manila Jakarta Sydney Perth Toronto Chicago Boston Denver Austin Lima Quito Bogota Santiago'
).split(' ');

/** All name the cities in the same spelling, and ask for one function call for each city. */
const weatherQuestions: readonly string[] = [
  'What is the weather in {} and in {}? Call the function once for each city.',
  'How is the weather in {} and in {} today? Use the function once for each city.',
  'Is the weather good in {} and in {}? Look up each city by itself.',
  'I am packing. Look up the weather in {} and in {}, one call for each city.',
  'Compare the weather in {} and in {}: call the function once for each city.',
  'Find out the weather in {} and in {}, with one call for each city.',
  'Please tell me the weather in {} and in {}. Call the function for each city.',
  'For a trip I need the weather in {} and in {}: one call of the function for each.',
];

/** Returns a question that makes a model call a weather function once for a known city, and once for this one. */
export function weatherIn(city: string, draw: Draw): string {
  const question = draw(weatherQuestions) ?? '';
  return question.replace('{}', draw(cities) ?? '').replace('{}', city);
}
