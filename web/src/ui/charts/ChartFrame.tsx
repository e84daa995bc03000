import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../Button'

/** What a chart shows, in words: the first cell of each row names it. */
export interface ChartTable {
  head: string[]
  rows: string[][]
}

const Cells = chakra('table', {
  base: {
    width: '100%',
    textStyle: 'small',
    fontVariantNumeric: 'tabular-nums',
    borderCollapse: 'collapse',
    '& th, & td': { paddingBlock: '1.5', paddingInline: '3', textAlign: 'end', whiteSpace: 'nowrap' },
    // What a row is about stays in sight beside its last figure.
    '& th:first-of-type': {
      textAlign: 'start',
      paddingInlineStart: '0',
      position: 'sticky',
      insetInlineStart: '0',
      bg: 'surface',
    },
    '& th:last-of-type:not(:first-of-type), & td:last-of-type': { paddingInlineEnd: '1' },
    '& thead th': { color: 'muted', fontWeight: 'medium', position: 'sticky', top: '0', bg: 'surface' },
    '& thead th:first-of-type': { zIndex: 'raised' },
    '& tbody th': { fontWeight: 'normal' },
    '& tbody tr': { borderTopWidth: '1px', borderColor: 'hairline' },
  },
})

/** Out of sight until it is opened, but never out of reach of assistive technology. */
const unseen = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const
const seen = { maxHeight: '23rem', overflow: 'auto', marginTop: '2' } as const

/**
 * A chart with the table that says the same: assistive technology has it always, everybody else opens it, to read or to
 * copy.
 *
 * @param label what the chart shows, as the table's caption
 */
export function ChartFrame({
  label,
  table,
  note,
  children,
}: {
  label: string
  table: ChartTable
  /** Below the chart. */
  note?: string
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const opened = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) opened.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <Box as="figure" aria-label={label} position="relative" minWidth="0">
      {children}
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        marginTop="1"
        marginBottom="-2"
      >
        <Box textStyle="caption" color="muted">
          {note}
        </Box>
        <Button
          variant="ghost"
          size="sm"
          color="muted"
          aria-expanded={open}
          aria-controls={id}
          marginInlineEnd="-3"
          paddingInline="3"
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide table' : 'Show as table'}
        </Button>
      </Box>
      {/* What can be scrolled can be reached by keyboard. */}
      <Box
        ref={opened}
        id={id}
        tabIndex={open ? 0 : undefined}
        {...(open && { role: 'group', 'aria-label': label })}
        {...(open ? seen : unseen)}
      >
        <Cells>
          <Box as="caption" srOnly>
            {label}
          </Box>
          <thead>
            <tr>
              {table.head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={table.head[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Cells>
      </Box>
    </Box>
  )
}
