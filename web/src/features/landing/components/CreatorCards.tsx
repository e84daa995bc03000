import { Box, chakra, Grid } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { paths } from '@/lib/paths'
import { CardLink } from './CardLink'

/** The URLs of the pictures, which scripts/screenshots.mjs creates from the demo data. */
const urls = import.meta.glob<string>('../creators/*.webp', { eager: true, query: '?url', import: 'default' })

/** Creators from the demo data with pictures that were made for Ovation (stack/demo/pictures/README.md). */
const creators: { username: string; name: string; craft: MessageDescriptor; offer: MessageDescriptor }[] = [
  {
    username: 'kavyalooksup',
    name: 'Kavya Raghunathan',
    craft: msg`Amateur astronomer outside Pune`,
    offer: msg`What to look for in tonight's sky, without equipment snobbery.`,
  },
  {
    username: 'chiamaka_sews',
    name: 'Chiamaka Eze',
    craft: msg`Pattern cutter in Lagos`,
    offer: msg`Clothes that fit the person, not the size chart.`,
  },
  {
    username: 'rosalbabakes',
    name: 'Rosalba Conti',
    craft: msg`Baker in Matera`,
    offer: msg`Durum sourdough, hour by hour, from a starter that is 19 years old.`,
  },
  {
    username: 'mateus_wrench',
    name: 'Mateus Figueira',
    craft: msg`Bicycle mechanic in Porto`,
    offer: msg`Keeps old steel on the road and finds the noise nobody else can find.`,
  },
]

/**
 * Shows creators from the demo data as cards. On phones, each card is a row. With `hasProfiles`, the cards link to the
 * creators' profiles.
 */
export function CreatorCards({ hasProfiles }: { hasProfiles: boolean }) {
  return (
    <Grid
      as="ul"
      listStyleType="none"
      templateColumns={{
        base: 'minmax(0, 1fr)',
        md: 'repeat(2, minmax(0, 1fr))',
        lg: 'repeat(4, minmax(0, 1fr))',
      }}
      gap={{ base: '3', md: '5' }}
    >
      {creators.map((creator) => (
        <CreatorCard key={creator.username} {...creator} isLinked={hasProfiles} />
      ))}
    </Grid>
  )
}

const Picture = chakra('img', { base: { display: 'block', objectFit: 'cover' } })

function CreatorCard({
  username,
  name,
  craft,
  offer,
  isLinked,
}: (typeof creators)[number] & { isLinked: boolean }) {
  return (
    <Box
      as="li"
      position="relative"
      display={{ base: 'flex', md: 'block' }}
      bg="surface"
      borderWidth="1px"
      borderColor="hairline"
      borderRadius="lg"
      overflow="hidden"
    >
      <Picture
        src={urls[`../creators/${username}-cover.webp`]}
        alt=""
        htmlWidth={560}
        htmlHeight={240}
        loading="lazy"
        flexShrink={0}
        width={{ base: '6.5rem', md: 'full' }}
        height={{ base: 'auto', md: '7rem' }}
      />
      <Box minWidth="0" padding="4" paddingTop={{ md: '0' }} paddingBottom={{ md: '5' }}>
        <Picture
          src={urls[`../creators/${username}-avatar.webp`]}
          alt=""
          htmlWidth={144}
          htmlHeight={144}
          loading="lazy"
          hideBelow="md"
          boxSize="16"
          marginTop="-8"
          marginBottom="3"
          borderRadius="full"
          borderWidth="3px"
          borderColor="surface"
          outline="2px solid"
          outlineColor="ember.ring"
          outlineOffset="-2px"
        />
        <Box textStyle="title">
          {isLinked ? (
            <CardLink to={paths.profile.getHref(username)}>
              <bdi>{name}</bdi>
            </CardLink>
          ) : (
            <bdi>{name}</bdi>
          )}
        </Box>
        <Box textStyle="small" color="muted">
          {t(craft)}
        </Box>
        <Box
          as="p"
          textStyle={{ base: 'small', md: 'body' }}
          marginTop={{ base: '2', md: '3' }}
          textWrap="pretty"
        >
          {t(offer)}
        </Box>
      </Box>
    </Box>
  )
}
