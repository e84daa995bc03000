import { describe, expect, test } from 'vitest'
import { visible } from '../../stack/studio/layout.ts'
import { hideStrings, splitStatements } from '../../stack/studio/sql-statements.ts'

describe('the parser of the SQL editor', () => {
  test.each<[string, string[]]>([
    ['select 1; select 2', ['select 1', ' select 2']],
    [
      `select ';', ";", E'\\';', $$;$$, $a$ $$;$b$; $a$; x`,
      [`select ';', ";", E'\\';', $$;$$, $a$ $$;$b$; $a$`, ' x'],
    ],
    ["select 'a''; b'; c", ["select 'a''; b'", ' c']],
    [`select e'a''; \\'; b', "a""; b"; c`, [`select e'a''; \\'; b', "a""; b"`, ' c']],
    ["select e'not terminated; \\", ["select e'not terminated; \\"]],
    ['a; -- b; c\n; /* d; /* e; */ f; */ ; g$$; h', ['a', ' g$$', ' h']],
    ["select 'not terminated; x", ["select 'not terminated; x"]],
    ['select $1; ;; ', ['select $1']],
    ['a -- ;\r; b', ['a -- ;\r', ' b']],
    ['', []],
  ])('splits %j', (script, statements) => {
    expect(splitStatements(script).map(({ text }) => text)).toEqual(statements)
  })

  test('does not take quadratic time for long scripts', () => {
    const pieces = ["'", "''", '/*', '--', '(', "e'\\", 'a;', '/**/;', 'é;']
    /** Returns the CPU time, in microseconds, that this process needs to split scripts of `count` pieces. */
    const measure = (count: number) => {
      const scripts = pieces.map((piece) => piece.repeat(count))
      scripts.push(Array.from({ length: count }, (_, index) => `$a${index}$ `).join(''))
      const before = process.cpuUsage()
      for (const script of scripts) splitStatements(script)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    // The first runs are slower, because the functions have not been compiled yet.
    const short = Math.min(...Array.from({ length: 5 }, () => measure(2000)))
    // Scripts that are 16 times as long take up to 30 times as much CPU time because of garbage collection. A
    // quadratic parser would take 256 times as much.
    expect(measure(32_000) / short).toBeLessThan(100)
  })

  test('hides strings', () => {
    const statement = `select 'a''b', E'a\\'b', $$a$$, $a$b\n$a$, "c'", $1, n /* ' */ from t where d = 'a`
    expect(hideStrings(statement)).toBe(
      `select '…''…', '…', '…', '…', "c'", $1, n /* ' */ from t where d = '…'`,
    )
  })

  test('counts the characters before a statement as PostgreSQL does', () => {
    const statements = splitStatements(" select '😀';; -- 😀;\n/* ; */ COMMIT;x")
    expect(statements.map(({ offset, keyword }) => [offset, keyword])).toEqual([
      [0, 'select'],
      [13, 'commit'],
      [35, 'x'],
    ])
  })
})

test('`visible` replaces characters that are invisible or reorder other characters', () => {
  expect(visible('a\u0000b\u202Ec\u200Bd\u{E0041}\nÄ👨‍👩‍👧')).toBe(
    'a\\u{0000}b\\u{202E}c\\u{200B}d\\u{E0041}\nÄ👨‍👩‍👧',
  )
})
