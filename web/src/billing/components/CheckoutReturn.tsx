import { Box } from '@chakra-ui/react'
import { type ReactNode, useRef } from 'react'
import { Button, ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { CheckIcon, ClockIcon, CloseIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Spinner } from '@/ui/Spinner'
import { paymentPendingText, paymentSuccessText } from '../payment-texts'
import { type CheckoutResult, useCheckoutReturn } from './useCheckoutReturn'

/**
 * Above the screen that somebody comes back to from a payment page: that the payment is pending until the server has
 * heard of it, and then that it is there; or that nothing was paid.
 */
export default function CheckoutReturn() {
  const { back, dismiss, lookAgain } = useCheckoutReturn()
  const card = useRef<HTMLDivElement>(null)
  return (
    // Stays in the page: a live region that arrives together with its text is not read out.
    <div role="status">
      {back && (
        <Card
          ref={card}
          tabIndex={-1}
          display="flex"
          alignItems="flex-start"
          gap="3"
          marginBottom={{ base: '2', md: '4' }}
          padding="4"
          borderInlineStartWidth="4px"
          borderInlineStartColor={back.state === 'paid' ? 'success.text' : 'gold.solid'}
        >
          <Notice
            back={back}
            lookAgain={() => {
              lookAgain()
              // The button that was pressed goes.
              card.current?.focus()
            }}
          />
          {back.state !== 'pending' && (
            <Box marginInlineStart="auto" marginInlineEnd="-2" marginBlock="-2">
              <IconButton label="Dismiss" tooltip={false} onClick={dismiss}>
                <CloseIcon />
              </IconButton>
            </Box>
          )}
        </Card>
      )}
    </div>
  )
}

function Notice({ back: { bought, state }, lookAgain }: { back: CheckoutResult; lookAgain: () => void }) {
  switch (state) {
    case 'pending':
      return (
        <Words icon={<Spinner />} title="Payment pending">
          We are waiting for our payment provider to confirm it. That usually takes a few seconds.
        </Words>
      )
    case 'paid': {
      const { title, text } = bought
        ? paymentSuccessText(bought)
        : { title: 'Thank you!', text: 'Your payment has arrived.' }
      return (
        <Words icon={<CheckIcon />} title={title}>
          {text}
        </Words>
      )
    }
    case 'cancelled':
      return (
        <Words icon={<CloseIcon />} title="Nothing was paid">
          You left the payment page before paying.
        </Words>
      )
    case 'failed':
      return (
        <Words icon={<CloseIcon />} title="The payment did not come about">
          If money was taken, it is given back.
        </Words>
      )
    case 'silent': {
      const { text, to, label } = paymentPendingText(bought)
      return (
        <Words icon={<ClockIcon />} title="Payment pending">
          We have not heard of your payment yet: it can take some minutes to arrive. {text}
          <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
            <Button variant="outline" size="sm" onClick={lookAgain}>
              Look again
            </Button>
            {to && (
              <ButtonLink to={to} variant="ghost" size="sm">
                {label}
              </ButtonLink>
            )}
          </Box>
        </Words>
      )
    }
  }
}

function Words({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      <Box as="span" fontSize="xl" color="gold.text" marginTop="0.5">
        {icon}
      </Box>
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">{title}</Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {children}
        </Box>
      </Box>
    </>
  )
}
