import type { RecipeDefinition, SystemContext, SystemStyleObject } from '@chakra-ui/react'
import createCache, { type StylisElement } from '@emotion/cache'
import { type CSSObject, type SerializedStyles, css as serialize } from '@emotion/react'

type Recipe = ReturnType<SystemContext['cva']>

/**
 * Returns a system that has the same styles but computes each of them only once. Chakra itself rebuilds the recipe of
 * an element whenever the element is rendered, and hashes all of its styles to find out whether it has computed them
 * before. Emotion would then serialize and hash the styles again. To prevent this, `css` returns them already
 * serialized, because Emotion uses serialized styles unchanged.
 */
export function withStyleCache(system: SystemContext): SystemContext {
  const recipes = new WeakMap<object, Recipe>()
  const cva = (config: RecipeDefinition = emptyConfig): Recipe =>
    getOrSet(recipes, config, () => withMergeCache(system.cva(config)))

  // The keys are the recipe's styles, and then the style props. Recipes return the same object for the same variants.
  const styles = new WeakMap<object, Map<string, SerializedStyles>>()
  const css = (base: SystemStyleObject, ...props: (SystemStyleObject | undefined)[]): SerializedStyles => {
    const known = getOrSet(styles, base, () => new Map())
    return getOrSet(known, JSON.stringify(props), () => serialize(system.css(base, ...props) as CSSObject))
  }

  const validProperties = new Map<string, boolean>()
  const isValidProperty = (name: string): boolean =>
    getOrSet(validProperties, name, () => system.isValidProperty(name))

  return { ...system, cva: cva as SystemContext['cva'], css: css as SystemContext['css'], isValidProperty }
}

/**
 * The properties in use that some supported browsers, such as Safari 16, support only with a prefix. Other such
 * properties, for example `backdrop-filter`, must be added here before they are used. `mask-image` is left out, because
 * the app uses it only for decorative fades, which Chrome before version 120 does not show.
 */
const prefixedProperties = new Set(['hyphens', 'text-size-adjust', 'user-select'])

/**
 * Adds the prefixes that browsers still need. Emotion's own plugin checks each declaration against the prefixes of very
 * old browsers, which takes much longer (decision 044).
 */
export function addPrefix(element: StylisElement): void {
  if (element.type === 'decl' && prefixedProperties.has(String(element.props))) {
    element.return = `-webkit-${element.value}${element.value}`
  }
}

/** The cache through which Emotion inserts the styles of the app. */
export const emotionCache = createCache({ key: 'css', stylisPlugins: [addPrefix] })

const emptyConfig = {}

/**
 * Makes the recipe's `merge` cache its results, because an element based on another styled element merges its
 * recipe with the other's whenever it is rendered.
 */
function withMergeCache(recipe: Recipe): Recipe {
  const { merge } = recipe
  const merged = new WeakMap<object, Recipe>()
  recipe.merge = ((other: Recipe) => getOrSet(merged, other, () => merge.call(recipe, other))) as typeof merge
  return recipe
}

interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function getOrSet<Key, Value>(cache: Cache<Key, Value>, key: Key, create: () => Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = create()
  cache.set(key, value)
  return value
}
