import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/**
 * Leaves the words of the report alone: no verdict depends on them, and a mutant of them would say
 * nothing about the checks. A literal with a space in it is a sentence, or the prompt of a request;
 * one without is a name that something is looked up by, and stays.
 */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore(path) {
      if (path.isStringLiteral() && (/\s/.test(path.node.value) || isWording(path))) {
        return 'words of the report';
      }
      if (path.isTemplateLiteral() && (hasSpace(path.node) || isWording(path))) {
        return 'words of the report';
      }
      if (path.isObjectExpression() && isAbout(path.node)) {
        return 'where a value is shown to come from';
      }
      if (path.isObjectProperty() && path.node.key.name === 'cost') {
        return 'what a scenario costs at most is the plan’s, and no verdict’s';
      }
      return undefined;
    },
  }),
];

/** Calls whose literals are words or mere names, by the index of the first such argument. */
const wordsFrom = new Map([
  ['lane', 0],
  ['present', 1],
  ['broke', 2],
  ['suppress', 1],
  ['#failed', 0],
  ['undecided', 0],
  ['no', 0],
  ['ExpectationFailed', 0],
  ['Inconclusive', 0],
  ['Error', 0],
]);

/** Calls whose first argument is a name, or says what is asked of a value. */
const firstIsWords = new Set(['scenario', 'toHave', 'toBe']);

/** Names under which words are kept before they are told, and the names of scenarios and values. */
const wordy = new Set(['expected', 'actual', 'wanted', 'as']);

/** `{ as, of }` of `expectValue`. */
function isAbout({ properties }) {
  const names = properties.map(({ key }) => key?.name);
  return names.length === 2 && names.includes('as') && names.includes('of');
}

function hasSpace({ quasis }) {
  return quasis.some(({ value }) => /\s/.test(value.raw));
}

function isWording(path) {
  let child = path;
  let parent = path.parentPath;
  while (parent?.isConditionalExpression() || parent?.isLogicalExpression()) {
    // The condition of an expression is not part of its text.
    if (child.key === 'test') return false;
    child = parent;
    parent = parent.parentPath;
  }
  if (parent?.isVariableDeclarator()) return wordy.has(parent.node.id.name);
  if (parent?.isObjectProperty()) return child.key === 'value' && wordy.has(parent.node.key.name);
  if (!parent?.isCallExpression() && !parent?.isNewExpression()) return false;
  if (child.listKey !== 'arguments') return false;
  const name = nameOf(parent.node.callee);
  if (firstIsWords.has(name)) return child.key === 0;
  const from = wordsFrom.get(name);
  return from !== undefined && child.key >= from;
}

function nameOf(callee) {
  if (callee.type !== 'MemberExpression') return callee.name;
  return callee.property.type === 'PrivateName'
    ? `#${callee.property.id.name}`
    : callee.property.name;
}
