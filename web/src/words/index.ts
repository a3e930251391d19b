/** Every text of the page: `words`, in the language chosen. Each language is a folder with the same keys. */
export { learn, words, type Words } from './catalogue.svelte'
