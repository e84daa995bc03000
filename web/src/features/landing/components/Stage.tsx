import { Box, chakra } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { CardLink } from './CardLink'

/** The URLs of the pictures, which scripts/screenshots.mjs creates from the demo data. */
const urls = import.meta.glob<string>('../stage/*.webp', { eager: true, query: '?url', import: 'default' })

interface Work {
  username: string
  /** The grid area on narrow (`base`) and wide (`lg`) screens. A work without `lg` is hidden on wide screens. */
  area: { base: string; lg?: string }
  /** The part of the picture that stays visible when it is cropped. */
  position?: string
  /** Works without a caption are dimmed, because the heading is in front of them. */
  caption?: { firstName: string; lastName: string; title: MessageDescriptor; price: number }
  locked?: true
}

/** Works from the demo data. Their pictures were made for Ovation (stack/demo/pictures/README.md). */
const works: Work[] = [
  {
    username: 'delroy_keys',
    area: { base: '1 / 1 / 4', lg: '1 / 1 / 3' },
    caption: { firstName: 'Delroy', lastName: 'Bramwell', title: msg`The score`, price: 10 },
  },
  {
    username: 'chiamaka_sews',
    area: { base: '4 / 3 / 7', lg: '1 / 2 / 4' },
    position: '50% 70%',
    caption: { firstName: 'Chiamaka', lastName: 'Eze', title: msg`The wrap skirt`, price: 9 },
  },
  {
    username: 'yuki_ink',
    area: { base: '1 / 2 / 3', lg: '1 / 3 / 2' },
    position: '50% 30%',
    caption: { firstName: 'Yuki', lastName: 'Morishita', title: msg`Rain in nine strokes`, price: 3.5 },
  },
  {
    username: 'kavyalooksup',
    area: { base: '1 / 3 / 4', lg: '1 / 4 / 5' },
    position: '50% 80%',
    caption: { firstName: 'Kavya', lastName: 'Raghunathan', title: msg`Tonight's sky`, price: 3 },
  },
  {
    username: 'noormakes',
    area: { base: '3 / 2 / 7', lg: '2 / 3 / 7' },
    caption: { firstName: 'Noor', lastName: 'Haddad', title: msg`The kiln diary`, price: 5 },
  },
  {
    username: 'mateus_wrench',
    area: { base: '4 / 1 / 7', lg: '5 / 4 / 7' },
    caption: { firstName: 'Mateus', lastName: 'Figueira', title: msg`Eleven places to look`, price: 5.5 },
    locked: true,
  },
  // On phones, this picture is larger than any text, so that it is the largest contentful paint. The prerendered page
  // already contains it.
  { username: 'rosalbabakes', area: { base: '7 / 1 / 8 / 4' }, position: '50% 35%' },
]

/**
 * Shows works of creators from the demo data as a wall across the window. `--start` is the distance between the top of
 * the page and the heading, which is in front of the wall. The works above the heading end at different heights. With
 * `hasProfiles`, the works with a caption link to the profiles of their creators.
 */
export function Stage({ hasProfiles }: { hasProfiles: boolean }) {
  return (
    <Box
      as="ul"
      aria-label={t`Examples of works by creators`}
      listStyleType="none"
      position="absolute"
      insetInline="0"
      // The rounded upper corners of the works are above the window.
      top="-3"
      height={{ base: 'calc(var(--start) + 9rem)', lg: 'auto' }}
      bottom={{ lg: '0' }}
      display="grid"
      gap={{ base: '2', lg: '3' }}
      gridTemplateColumns={{ base: 'repeat(3, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' }}
      gridTemplateRows={{
        base: 'minmax(0, 1fr) 1.5rem 1.25rem minmax(0, 0.9fr) 1rem 0.75rem 9rem',
        lg: 'calc(var(--start) - 5.25rem) 2rem 1.5rem 7rem minmax(0, 1fr) 0',
      }}
    >
      {works.map((work) => (
        <WorkTile key={work.username} {...work} isLinked={hasProfiles} />
      ))}
    </Box>
  )
}

const Picture = chakra('img', { base: { display: 'block', objectFit: 'cover' } })

function WorkTile({ username, area, position, caption, locked, isLinked }: Work & { isLinked: boolean }) {
  const url = (name: string) => urls[`../stage/${username}-${name}.webp`] ?? ''
  return (
    <Box
      as="li"
      aria-hidden={!caption}
      hideFrom={area.lg ? undefined : 'lg'}
      gridArea={area}
      position="relative"
      overflow="hidden"
      bg="sunken"
      opacity={caption ? undefined : 0.15}
      // Fades out at the top and bottom, because a visible edge would cross the heading.
      maskImage={caption ? undefined : 'linear-gradient(transparent, {colors.text} 45%, transparent)'}
      borderRadius={caption ? { base: 'md', lg: 'lg' } : undefined}
    >
      <Picture
        src={url('large')}
        srcSet={`${url('small')} 420w, ${url('large')} 680w`}
        // Wider than the column on wide screens, where some pictures are enlarged to fill the height of their tile.
        sizes="(min-width: 992px) 34vw, 35vw"
        alt=""
        // The works are in view when the page opens, except one that is hidden on wide screens.
        loading={area.lg ? undefined : 'lazy'}
        decoding="async"
        position="absolute"
        inset="0"
        boxSize="full"
        objectPosition={position}
      />
      {caption && <Caption face={url('face')} {...caption} locked={locked} />}
      {/* Above the gradient of the caption. */}
      {locked && <GoldLock />}
      {caption && isLinked && (
        <CardLink
          to={paths.profile.getHref(username)}
          // Keeps the focus outline of the works in the first row within the window.
          _after={{ top: { base: firstRowTop(area.base), lg: firstRowTop(area.lg) } }}
          aria-label={`${caption.firstName} ${caption.lastName}`}
        />
      )}
    </Box>
  )
}

const firstRowTop = (area = '') => (area.startsWith('1 ') ? '3' : '0')

function GoldLock() {
  return (
    <Box
      position="absolute"
      insetInlineStart="50%"
      top={{ base: '36%', lg: '42%' }}
      transform="translate(-50%, -50%)"
      display="grid"
      placeItems="center"
      boxSize={{ base: '11', lg: '4.5rem' }}
      borderRadius="full"
      bg="gold.solid"
      color="gold.on"
      fontSize={{ base: 'xl', lg: '3xl' }}
      boxShadow="low"
      // In low windows, the work is not high enough for the lock and the caption.
      css={{ '@media (max-width: 991px) and (max-height: 45rem)': { display: 'none' } }}
    >
      <LockIcon />
    </Box>
  )
}

/** Leaves out the last name and the title where there is no room for them. */
function Caption({
  face,
  firstName,
  lastName,
  title,
  price,
  locked,
}: NonNullable<Work['caption']> & { face: string; locked?: true }) {
  return (
    <Box
      position="absolute"
      insetInline="0"
      bottom="0"
      display="flex"
      alignItems="center"
      gap={{ base: '2', lg: '2.5' }}
      padding={{ base: '2', lg: '3.5' }}
      paddingTop={{ base: '10', lg: '14' }}
      backgroundImage="linear-gradient(to top, {colors.stage.darkest/90} 30%, transparent)"
    >
      <Picture
        src={face}
        alt=""
        htmlWidth={88}
        htmlHeight={88}
        loading="lazy"
        hideBelow="lg"
        flexShrink={0}
        boxSize="9"
        marginInlineStart="0.5"
        borderRadius="full"
        outline="2px solid"
        outlineColor="ember.ring"
        outlineOffset="1px"
      />
      <Box
        flex="1"
        minWidth="0"
        display="flex"
        flexDirection={{ base: 'column', lg: 'row' }}
        alignItems={{ base: 'flex-start', lg: 'center' }}
        gap={{ base: '0.5', lg: '2.5' }}
      >
        <Box flex={{ lg: '1' }} minWidth="0" maxWidth="full">
          <Box textStyle={{ base: 'caption', lg: 'label' }} fontWeight="semibold" truncate>
            <bdi>
              {firstName}
              <Box as="span" hideBelow="xl">
                {' '}
                {lastName}
              </Box>
            </bdi>
          </Box>
          <Box textStyle="small" lineHeight="snug" hideBelow="lg">
            {t(title)}
          </Box>
        </Box>
        <Box
          textStyle="caption"
          lineHeight="snug"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          paddingInline={{ base: '1.5', lg: '2.5' }}
          paddingBlock={{ lg: '1' }}
          borderRadius="full"
          bg={locked ? 'gold.solid' : 'stage.text'}
          color={locked ? 'gold.on' : 'stage.darkest'}
        >
          {locked && (
            <Box as="span" display="inline-block" verticalAlign="-0.125em" marginInlineEnd="1">
              <LockIcon />
            </Box>
          )}
          {dollars(price)}
        </Box>
      </Box>
    </Box>
  )
}
