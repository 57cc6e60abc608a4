import type { HtmlTagDescriptor, Plugin } from 'vite';

function link(file: string, kind: object): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...kind, crossorigin: true, href: `/console/${file}` } };
}

/** Lets the browser fetch this screen, with what it imports, together with the page itself. */
export function preload(module: string): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const screen = Object.values(bundle).find(
          (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(module) === true,
        );
        if (screen?.type !== 'chunk') throw new Error(`There is no chunk of ${module}`);
        const scripts = [screen.fileName, ...screen.imports].filter((file) => !html.includes(file));
        const styles = screen.viteMetadata?.importedCss ?? [];
        return [
          ...scripts.map((file) => link(file, { rel: 'modulepreload' })),
          ...[...styles].map((file) => link(file, { rel: 'preload', as: 'style' })),
        ];
      },
    },
  };
}
