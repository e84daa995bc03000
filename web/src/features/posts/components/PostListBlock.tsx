import { chakra } from '@chakra-ui/react'
import { Trans } from '@lingui/react/macro'
import {
  type FocusEvent,
  memo,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { type Fold, isSameFold } from '../folding'
import { isSameBlock, type ListPosition, type PostBlock } from '../list-position'
import { PostCard } from './PostCard'

const BlockElement = chakra('div')
const PostElement = chakra('div', { base: { borderTopWidth: '1px' } })

/** The height in pixels that is reserved for a post that has never been rendered. */
const estimatedPostHeight = 180

/**
 * Renders a block's posts while the block is near the viewport, and otherwise only reserves their height, so that long
 * lists scroll smoothly. A block stays rendered while it contains the focus, and after the user has clicked or typed in
 * it, because its posts may have state that unmounting would discard.
 */
export const PostListBlock = memo(
  function PostListBlock({
    block: { key, posts },
    folds,
    onUnfold,
    position,
    initiallyRendered,
    isRetained,
  }: {
    block: PostBlock
    /** The folded posts, by the id of the post that they follow. */
    folds: ReadonlyMap<string, Fold>
    onUnfold: (fold: Fold) => void
    position: ListPosition
    /** Whether to render the posts before the first intersection is observed. */
    initiallyRendered: boolean
    /** Whether the posts stay rendered after they are first rendered. */
    isRetained: boolean
  }) {
    const ref = useRef<HTMLDivElement>(null)
    const isNear = useNearViewport(ref, initiallyRendered)
    const [hasInteraction, setHasInteraction] = useState(false)
    const [hasFocus, setHasFocus] = useState(false)
    const [wasRendered, setWasRendered] = useState(initiallyRendered)
    if (isNear && !wasRendered) setWasRendered(true)
    const isRendered = isNear || hasInteraction || hasFocus || (isRetained && wasRendered)
    useSavedHeight(ref, isRendered, (height) => position.blockHeights.set(key, height))
    const onInteraction = () => setHasInteraction(true)
    const onBlur = (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setHasFocus(false)
    }
    return (
      <BlockElement
        ref={ref}
        data-post-block={key}
        onClickCapture={onInteraction}
        onInputCapture={onInteraction}
        onFocus={() => setHasFocus(true)}
        onBlur={onBlur}
        style={
          isRendered
            ? undefined
            : { height: position.blockHeights.get(key) ?? posts.length * estimatedPostHeight }
        }
      >
        {isRendered &&
          posts.map((post) => {
            const fold = folds.get(post.id)
            return (
              <PostElement key={post.id} data-post={post.id}>
                <PostCard post={post} footer={fold && <UnfoldButton fold={fold} onUnfold={onUnfold} />} />
              </PostElement>
            )
          })}
      </BlockElement>
    )
  },
  (before, after) =>
    before.position === after.position &&
    before.isRetained === after.isRetained &&
    before.onUnfold === after.onUnfold &&
    isSameBlock(before.block, after.block) &&
    before.block.posts.every(({ id }) => isSameFold(before.folds.get(id), after.folds.get(id))),
)

/**
 * Shows a button with the number of further posts that the author wrote in a row. Pressing it unfolds these posts. The
 * button is inside the article of the last shown post, because ARIA allows only articles in a feed.
 */
function UnfoldButton({ fold, onUnfold }: { fold: Fold; onUnfold: (fold: Fold) => void }) {
  const count = formatCount(fold.posts.length)
  const name = displayName(fold.posts[0]?.user)
  return (
    <Button
      variant="ghost"
      width="100%"
      height="auto"
      minHeight="target"
      whiteSpace="normal"
      overflowWrap="anywhere"
      onClick={() => onUnfold(fold)}
    >
      <span>
        <Trans>
          Show {count} more from <bdi>{name}</bdi>
        </Trans>
      </span>
    </Button>
  )
}

/** Blocks are rendered up to two viewport heights above and below the viewport, which suffices for fast scrolling. */
const rootMargin = '200% 0px'
const listeners = new Map<Element, (isNear: boolean) => void>()

/** One observer for all blocks, which is cheaper than hundreds of observers. */
let observer: IntersectionObserver | undefined
function sharedObserver(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (isInViewport(entry)) notifyListener(entry)
      // Blocks outside the viewport are rendered in a transition, which can be interrupted, so it does not hold up
      // scrolling.
      startTransition(() => {
        for (const entry of entries) if (!isInViewport(entry)) notifyListener(entry)
      })
    },
    { rootMargin },
  )
  return observer
}

function notifyListener(entry: IntersectionObserverEntry): void {
  listeners.get(entry.target)?.(entry.isIntersecting)
}

function isInViewport({ boundingClientRect: { top, bottom } }: IntersectionObserverEntry): boolean {
  return bottom > 0 && top < window.innerHeight
}

/** Returns whether the element is near the viewport. Returns `initially` until the first intersection is observed. */
function useNearViewport(ref: RefObject<HTMLElement | null>, initially: boolean): boolean {
  const [isNear, setNear] = useState(initially)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    listeners.set(element, setNear)
    sharedObserver().observe(element)
    return () => {
      sharedObserver().unobserve(element)
      listeners.delete(element)
    }
  }, [ref])
  return isNear
}

/** While the posts are rendered, calls `save` with the element's height whenever the height changes. */
function useSavedHeight(
  ref: RefObject<HTMLElement | null>,
  isRendered: boolean,
  save: (height: number) => void,
): void {
  const saveHeight = useEffectEvent(save)
  useEffect(() => {
    const element = ref.current
    if (!element || !isRendered) return
    const resizeObserver = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      if (height > 0) saveHeight(height)
    })
    resizeObserver.observe(element)
    return () => resizeObserver.disconnect()
  }, [ref, isRendered])
}
