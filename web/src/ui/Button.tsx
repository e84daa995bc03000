import { chakra, defineRecipe } from '@chakra-ui/react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Spinner } from './Skeleton'

const buttonRecipe = defineRecipe({
  className: 'ov-button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    flexShrink: 0,
    fontWeight: 'semibold',
    lineHeight: '1',
    whiteSpace: 'nowrap',
    textDecoration: 'none',
    cursor: 'pointer',
    userSelect: 'none',
    borderRadius: 'full',
    borderWidth: '1px',
    borderColor: 'transparent',
    transitionProperty: 'background-color, border-color, color, transform',
    transitionDuration: 'fast',
    transitionTimingFunction: 'out',
    _active: { transform: 'scale(0.98)' },
    _disabled: { opacity: 0.55, cursor: 'not-allowed', transform: 'none' },
    '&[aria-disabled=true]': { opacity: 0.55, cursor: 'not-allowed', transform: 'none' },
  },
  variants: {
    variant: {
      /** The primary action of a screen. */
      ember: { bg: 'ember.solid', color: 'ember.on', '&:hover:not(:disabled)': { bg: 'ember.solidHover' } },
      /** For a prominent action that is not the screen's primary action, such as one in a row of a list. */
      tinted: {
        bg: 'ember.wash',
        color: 'ember.text',
        '&:hover:not(:disabled)': { borderColor: 'ember.ring' },
      },
      /** For the main action where it is not ember or gold, and for 'New post', which is on every screen. */
      inverse: { bg: 'inverse', color: 'onInverse', '&:hover:not(:disabled)': { opacity: 0.88 } },
      quiet: { bg: 'fill', color: 'text', '&:hover:not(:disabled)': { bg: 'fillHover' } },
      outline: {
        bg: 'transparent',
        color: 'text',
        borderColor: 'outline',
        '&:hover:not(:disabled)': { bg: 'hover' },
      },
      ghost: { bg: 'transparent', color: 'text', '&:hover:not(:disabled)': { bg: 'hover' } },
      /** Looks like a link. */
      link: {
        color: 'ember.text',
        paddingInline: '0',
        borderRadius: 'xs',
        '&:hover:not(:disabled)': { textDecoration: 'underline' },
      },
      danger: {
        bg: 'danger.solid',
        color: 'danger.on',
        '&:hover:not(:disabled)': { filter: 'brightness(1.08)' },
      },
      gold: { bg: 'gold.solid', color: 'gold.on', '&:hover:not(:disabled)': { filter: 'brightness(1.05)' } },
    },
    size: {
      sm: {
        minHeight: '9',
        paddingInline: '4',
        fontSize: 'sm',
        '@media (pointer: coarse)': { minHeight: 'target' },
      },
      md: { minHeight: 'target', paddingInline: '5', fontSize: 'md' },
      lg: { minHeight: '3.25rem', paddingInline: '7', fontSize: 'lg' },
      icon: { width: 'target', height: 'target', padding: '0', fontSize: 'xl' },
    },
  },
  defaultVariants: { variant: 'quiet', size: 'md' },
})

const BaseButton = chakra('button', buttonRecipe)

export type ButtonProps = ComponentProps<typeof BaseButton> & {
  /** Disables the button and shows a spinner beside its label. */
  pending?: boolean
  /** Replaces the children while pending. */
  pendingLabel?: ReactNode
}

export function Button({
  pending,
  pendingLabel,
  disabled,
  children,
  type = 'button',
  ...props
}: ButtonProps) {
  return (
    <BaseButton type={type} disabled={disabled || pending} aria-busy={pending || undefined} {...props}>
      {pending && <Spinner />}
      {pending && pendingLabel ? pendingLabel : children}
    </BaseButton>
  )
}

/** A router link that looks like a button. */
export const ButtonLink = chakra(Link, buttonRecipe)
