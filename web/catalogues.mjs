/** Writes the texts of the page's catalogues to a JSON file: by language and key, with the parameters each takes and uses. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'src', 'words')
const GATHERED = new Set(['index.ts', 'first.ts', 'staff.ts']) // which only put the others together

function bare(node) {
  while (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) node = node.expression
  return node
}

function pieces(node, isPiece, found = []) {
  if (isPiece(node)) found.push(node.text)
  ts.forEachChild(node, (child) => void pieces(child, isPiece, found))
  return found
}
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)

function collect(given, path, constants, texts) {
  const node = bare(given)
  const collectAll = (children) => children.forEach(([name, child]) => collect(child, `${path}.${name}`, constants, texts))
  if (ts.isObjectLiteralExpression(node)) collectAll(node.properties.map((each) => [each.name.text, each.initializer ?? each.name]))
  else if (ts.isArrayLiteralExpression(node)) collectAll(node.elements.map((each, at) => [at, each]))
  else if (ts.isIdentifier(node) && constants.has(node.text)) collect(constants.get(node.text), path, constants, texts)
  else if (ts.isArrowFunction(node)) {
    const taken = node.parameters.map((each) => each.name.text)
    const used = pieces(node.body, ts.isIdentifier)
    texts[path] = { text: pieces(node.body, isText).join(''), takes: taken, uses: taken.filter((name) => used.includes(name)) }
  } else texts[path] = { text: pieces(node, isText).join(''), takes: [], uses: [] }
}

function textsOf(language) {
  const texts = {}
  for (const file of readdirSync(join(FOLDER, language)).filter((name) => !GATHERED.has(name)).sort()) {
    const source = ts.createSourceFile(file, readFileSync(join(FOLDER, language, file), 'utf-8'), ts.ScriptTarget.Latest, true)
    const declared = source.statements.filter(ts.isVariableStatement)
    const named = (statements) => statements.flatMap((each) => each.declarationList.declarations.map((one) => [one.name.text, one.initializer]))
    const isExported = (statement) => statement.modifiers?.some((each) => each.kind === ts.SyntaxKind.ExportKeyword)
    const constants = new Map(named(declared))
    for (const [name, value] of named(declared.filter(isExported))) collect(value, name, constants, texts)
  }
  return texts
}

const languages = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
writeFileSync(process.argv[2], JSON.stringify(Object.fromEntries(languages.map(({ name }) => [name, textsOf(name)])), null, 1))
