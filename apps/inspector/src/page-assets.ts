import { buildPageAssets } from './embed-page.js'

/** The script and the style of the page. Built from source here; the build of this package puts the outcome in its place. */
export const pageAssets = await buildPageAssets()
