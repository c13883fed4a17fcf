import { expect, test } from 'vitest'
import { htmlToText } from '../../../../src/toolkit/web/html/to-text.ts'
import { fc } from '../../../support/fast-check.ts'

const read = (html: string, options: { readonly isLate?: () => boolean; readonly maxChars?: number } = {}) =>
  htmlToText(html, { base: new URL('https://site.example/docs/page'), isLate: () => false, maxChars: 1_000_000, ...options })
const textOf = (html: string): string => read(html).text

// oxfmt-ignore
test.each([
  ['paragraphs and white space', '<p>one\n  two</p><p>three</p>', 'one two\n\nthree'],
  ['headings', '<h1>A</h1><h3>B <b>c</b></h3>d', '# A\n\n### B c\n\nd'],
  ['an empty heading', '<h1></h1><h2> </h2>a', 'a'],
  ['links', '<a href="/a">one</a>, <a href="b?x=1&amp;y=2">two</a>, <a href="#here">three</a>, <a name="x">four</a>', '[one](https://site.example/a), [two](https://site.example/docs/b?x=1&y=2), three, four'],
  ['spaces around marks', 'a <a href="/b">b </a> c <code> d </code>e', 'a [b](https://site.example/b) c `d` e'],
  ['a link without text, and one around a block', '<a href="/x"></a><a href="/y"><h2>t</h2></a>u', '[## t](https://site.example/y)\n\nu'],
  ['links that are no address of a page', '<a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href="mailto:me@x.example">c</a> <a href="https://[">d</a>', 'a b [c](mailto:me@x.example) d'],
  ['what links start from', '<base href="https://other.example/z/"><a href="a">a</a>', '[a](https://other.example/z/a)'],
  ['lists', '<ul><li>a<li>b<ol><li>c</li><li>d</ol></ul>e', '- a\n- b\n\n  1. c\n  2. d\n\ne'],
  ['a list item of several blocks', '<ul><li><p>a</p><p>b</p></li></ul>', '- a\n\n  b'],
  ['a definition list', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\nb\nc\nd'],
  ['code', '<p>x</p><pre>\n<code>if (a &lt; b)\n\n    c()\n</code></pre><p>y <code>z</code></p>', 'x\n\n```\nif (a < b)\n\n    c()\n```\n\ny `z`'],
  ['tables', '<table><tr><th>a<th>b<tr><td>1<td>2 <b>3</b></table>', 'a | b\n1 | 2 3'],
  ['a table in a table', '<table><tr><td><table><tr><td>a<td>b</table><td>c</table>', 'a | b\n\nc'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n\n> b\n\nc'],
  ['line breaks and rules', 'a<br>b<hr>c', 'a\nb\n\n---\n\nc'],
  ['images by what they show', '<img src=x alt=" a cat "><img src=y>', '[image: a cat]'],
  ['entities', '&amp;&lt;&#65;&#x42;&eacute;&hellip;&nbsp;&unknown;&#128;&#0;&#xD800; &copy', '&<ABé… &unknown;€\ufffd\ufffd &copy'],
  ['what is no text', '<head><style>p{}</style><script>if (a</b>) "<p>"</script></head>a<!-- b --><template>c</template><svg><title>d</title></svg><noscript>e</noscript>', 'ae'],
  ['menus, and what is hidden', '<nav>a</nav><p hidden>b<p style="display: none">c</p><div aria-hidden=true>d<div>e</div></div><footer>f</footer><p>g', 'g'],
  ['a hidden paragraph that is not closed', '<p hidden>a<div>b</div>', 'b'],
  ['a < that is only that', 'a < b <3 c << d', 'a < b <3 c << d'],
  ['a page that breaks off in a tag', 'a<p class="b', 'a'],
  ['a page that breaks off in a comment, a script', 'a<!-- b <p>c', 'a'],
  ['ends without a beginning', 'a</p></div></li></x>b', 'a\nb'],
  ['elements that overlap', '<b>a<i>b</b>c</i>d', 'abcd'],
  ['attributes in any writing', `<A HREF = '/a' x y=1 / HREF=/b>a</A><p class=a>b`, '[a](https://site.example/a)\n\nb'],
  ['processing instructions and declarations', '<?xml version="1.0"?><!DOCTYPE html><![CDATA[x]]>a', 'a'],
])('%s', (_, html, text) => {
  expect(textOf(html)).toBe(text)
})

test('the title stands for itself', () => {
  expect(read('<html><head><title> A &amp;\n B </title></head><body>c')).toEqual({ title: 'A & B', text: 'c', isCut: false })
})

test('the main part is all that is given, if there is something in it', () => {
  const long = 'word '.repeat(60).trim()
  expect(textOf(`<div>before</div><main><h1>t</h1>${long}</main><div>after</div>`)).toBe(`# t\n\n${long}`)
  expect(textOf('<div>before</div><main>loading</main><div>after</div>')).toBe('before\nloading\nafter')
})

test('lists in lists do not move out of sight', () => {
  expect(textOf(`${'<ul><li>'.repeat(50)}a`)).toBe(`${'- '.repeat(8)}a`)
})

test('a page is cut at the limit, and when the time is up', () => {
  expect(read('<p>abcdef</p><p>ghi</p><p>jkl</p>', { maxChars: 5 })).toEqual({ title: '', text: 'abcdef', isCut: true })
  const late = read('<p>a</p>'.repeat(1000), { isLate: () => true })
  expect({ isCut: late.isCut, paragraphs: late.text.split('\n\n').length }).toEqual({ isCut: true, paragraphs: 333 })
})

const anyTag = fc.constantFrom(
  ...['p', 'ul', 'li', 'table', 'tr', 'td', 'pre', 'code', 'h2', 'main', 'blockquote', 'b', 'div', 'section'].flatMap((name) => [
    `<${name}>`,
    `</${name}>`,
  ]),
  '<br>',
  '<a href="/x">',
  '</a>',
  '<img alt=x>',
  '&amp;',
  '\n',
  ' ',
  'word',
)

test('whatever comes is text in the end', { timeout: 60_000 }, () => {
  const odd = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    '&',
    '/',
    '<!--',
    '-->',
    '<script>',
    '</script',
    '<title>',
    '<svg>',
    '<p hidden',
    '<![CDATA[',
    '&#',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(anyTag, odd, fc.string({ maxLength: 8 })), { maxLength: 60 }), (pieces) => {
      const { text, isCut } = read(pieces.join(''))
      expect({ isCut, text }).toEqual({ isCut: false, text: text.trim() })
    }),
  )
})

test('what is not shown is nowhere in the text, wherever it stands', { timeout: 60_000 }, () => {
  const unseen = fc.constantFrom(
    ...['script', 'style', 'template', 'svg', 'nav', 'footer'].map((name) => `<${name}>SECRET</${name}>`),
    '<div hidden>SECRET</div>',
    '<section aria-hidden="true"><p>SECRET<div>SECRET</section>',
    '<p style="color: red; DISPLAY : none">SECRET</p>',
    '<!-- SECRET -->',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(anyTag, unseen), { maxLength: 60 }), (pieces) => {
      expect(textOf(pieces.join(''))).not.toContain('SECRET')
    }),
  )
})

test('words between tags come through, in order', { timeout: 60_000 }, () => {
  const tag = fc.constantFrom(
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<ul>',
    '<li>',
    '</ul>',
    '<table>',
    '<tr>',
    '<td>',
    '</table>',
    '<h3>',
    '</h3>',
    '<blockquote>',
    '<br>',
    '<a href="/x">',
    '</a>',
    '<main>',
    '</main>',
    '<section>',
    '<code>',
    '</code>',
  )
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 40 }), (tags) => {
      const words = textOf(tags.map((one, index) => `${one}w${index}`).join('')).match(/w\d+/g) ?? []
      expect(words).toEqual(tags.map((_, index) => `w${index}`))
    }),
  )
})
