/** Token values like those the editor gives a webview, for drawing the view without an editor. */
export type ThemeName = 'dark' | 'light' | 'hc';

const SHARED = {
  'font-family': 'system-ui, "Segoe UI", Ubuntu, sans-serif', 'font-size': '13px', 'editor-font-family': '"DejaVu Sans Mono", monospace', 'editor-font-size': '12px',
};

export const THEMES: Record<ThemeName, { readonly kind: string; readonly tokens: Readonly<Record<string, string>> }> = {
  dark: {
    kind: 'vscode-dark',
    tokens: {
      ...SHARED, 'foreground': '#cccccc', 'descriptionForeground': '#9d9d9d', 'errorForeground': '#f85149', 'focusBorder': '#0078d4', 'sideBar-background': '#181818',
      'editor-background': '#1f1f1f', 'editor-foreground': '#cccccc', 'editorWidget-background': '#202020', 'editorWidget-foreground': '#cccccc', 'widget-border': '#313131', 'widget-shadow': '#0000005c',
      'input-background': '#313131', 'input-foreground': '#cccccc', 'input-border': '#3c3c3c', 'input-placeholderForeground': '#989898',
      'button-background': '#0078d4', 'button-foreground': '#ffffff', 'button-hoverBackground': '#026ec1', 'button-border': '#ffffff12',
      'button-secondaryBackground': '#313131', 'button-secondaryForeground': '#cccccc', 'button-secondaryHoverBackground': '#3c3c3c',
      'textLink-foreground': '#4daafc', 'textCodeBlock-background': '#2b2b2b', 'textBlockQuote-border': '#616161', 'toolbar-hoverBackground': '#5a5d5e50', 'list-hoverBackground': '#2a2d2e',
      'editorWarning-foreground': '#cca700', 'testing-iconPassed': '#73c991', 'gitDecoration-addedResourceForeground': '#81b88b', 'gitDecoration-deletedResourceForeground': '#c74e39',
      'inputValidation-warningBackground': '#352a05', 'inputValidation-warningBorder': '#b89500', 'inputValidation-infoBackground': '#063b49', 'inputValidation-infoBorder': '#007acc', 'sideBarSectionHeader-border': '#2b2b2b',
    },
  },
  light: {
    kind: 'vscode-light',
    tokens: {
      ...SHARED, 'foreground': '#3b3b3b', 'descriptionForeground': '#3b3b3bcc', 'errorForeground': '#c72e2e', 'focusBorder': '#005fb8', 'sideBar-background': '#f8f8f8',
      'editor-background': '#ffffff', 'editor-foreground': '#3b3b3b', 'editorWidget-background': '#f8f8f8', 'editorWidget-foreground': '#3b3b3b', 'widget-border': '#e5e5e5', 'widget-shadow': '#00000029',
      'input-background': '#ffffff', 'input-foreground': '#3b3b3b', 'input-border': '#cecece', 'input-placeholderForeground': '#767676',
      'button-background': '#005fb8', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0258a8', 'button-border': '#0000001a',
      'button-secondaryBorder': '#cccccc', 'button-secondaryBackground': '#e5e5e5', 'button-secondaryForeground': '#3b3b3b', 'button-secondaryHoverBackground': '#cccccc',
      'textLink-foreground': '#005fb8', 'textCodeBlock-background': '#f0f0f0', 'textBlockQuote-border': '#e5e5e5', 'toolbar-hoverBackground': '#b8b8b850', 'list-hoverBackground': '#f2f2f2',
      'editorWarning-foreground': '#895503', 'testing-iconPassed': '#407a40', 'gitDecoration-addedResourceForeground': '#587c0c', 'gitDecoration-deletedResourceForeground': '#ad0707',
      'inputValidation-warningBackground': '#f6f5d2', 'inputValidation-warningBorder': '#b89500', 'inputValidation-infoBackground': '#d6ecf2', 'inputValidation-infoBorder': '#007acc', 'sideBarSectionHeader-border': '#e5e5e5',
    },
  },
  hc: {
    kind: 'vscode-high-contrast',
    tokens: {
      ...SHARED, 'foreground': '#ffffff', 'descriptionForeground': '#ffffffb3', 'errorForeground': '#f48771', 'focusBorder': '#f38518', 'sideBar-background': '#000000',
      'contrastBorder': '#6fc3df', 'contrastActiveBorder': '#f38518', 'editor-background': '#000000', 'editor-foreground': '#ffffff', 'editorWidget-background': '#0c141f', 'widget-border': '#6fc3df',
      'input-background': '#000000', 'input-foreground': '#ffffff', 'input-border': '#6fc3df', 'input-placeholderForeground': '#ffffffb3',
      'button-foreground': '#ffffff', 'button-background': '#000000', 'button-border': '#6fc3df', 'button-secondaryForeground': '#ffffff', 'button-secondaryBackground': '#000000',
      'textLink-foreground': '#21a6ff', 'textCodeBlock-background': '#000000', 'textBlockQuote-border': '#ffffff', 'list-hoverBackground': '#ffffff1a',
      'editorWarning-foreground': '#ffd370', 'testing-iconPassed': '#73c991', 'gitDecoration-addedResourceForeground': '#a1e3ad', 'gitDecoration-deletedResourceForeground': '#c74e39',
      'inputValidation-warningBackground': '#000000', 'inputValidation-warningBorder': '#6fc3df', 'inputValidation-infoBackground': '#000000', 'inputValidation-infoBorder': '#6fc3df', 'sideBarSectionHeader-border': '#6fc3df',
    },
  },
};
