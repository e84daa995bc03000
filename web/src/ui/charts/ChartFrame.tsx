import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../Button'
import { TextLink } from '../layout'

/** A chart's data as a table. The first cell of each row is its header and must be unique. */
export interface ChartTable {
  head: string[]
  rows: string[][]
  /** The pages that the row headers link to while the table is open. */
  links?: (string | undefined)[]
}

const Table = chakra('table', {
  base: {
    width: '100%',
    textStyle: 'small',
    fontVariantNumeric: 'tabular-nums',
    borderCollapse: 'collapse',
    '& th, & td': { paddingBlock: '1.5', paddingInline: '3', textAlign: 'end', whiteSpace: 'nowrap' },
    // Row headers stay visible while the table scrolls sideways.
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

/** Hides the closed table visually but not from screen readers. */
const closedStyle = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const
const openStyle = { maxHeight: '23rem', overflow: 'auto', marginTop: '2' } as const

/**
 * Shows a chart with a table of the same data. Users of screen readers always have the table; others can open it.
 *
 * @param label what the chart shows; also the table's caption
 */
export function ChartFrame({
  label,
  table,
  note,
  children,
}: {
  label: string
  table: ChartTable
  /** Shown below the chart. */
  note?: string | undefined
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const tableBox = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) tableBox.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <Box
      as="figure"
      aria-label={label}
      position="relative"
      display="flex"
      flexDirection="column"
      minWidth="0"
      // Beside a taller card, the chart fills its own card, so that the button is at the card's lower edge.
      height="100%"
    >
      {children}
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        marginTop="auto"
        paddingTop="1"
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
          {open ? t`Hide table` : t`Show as table`}
        </Button>
      </Box>
      {/* Focusable while open, so that the keyboard can scroll it. */}
      <Box
        ref={tableBox}
        id={id}
        tabIndex={open ? 0 : undefined}
        {...(open && { role: 'group', 'aria-label': label })}
        {...(open ? openStyle : closedStyle)}
      >
        <Table>
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
            {table.rows.map(([name, ...cells], row) => (
              <tr key={name}>
                <th scope="row">
                  {open && table.links?.[row] ? <TextLink to={table.links[row]}>{name}</TextLink> : name}
                </th>
                {cells.map((cell, index) => (
                  <td key={table.head[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </Box>
    </Box>
  )
}
