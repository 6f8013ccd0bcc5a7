// Loads the pinned packages, which lie in .cache/node (see .ci/install.sh) or
// where ASSAY_NODE says.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = process.env.ASSAY_NODE ?? join(import.meta.dirname, '../../.cache/node')
const base = pathToFileURL(join(root, 'package.json'))
const require = createRequire(base)

// modules loads a CommonJS package.
export const modules = (name) => require(name)

// load imports an ES module package.
export const load = async (name) => import(pathToFileURL(require.resolve(name)))
