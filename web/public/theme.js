// Before anything is drawn: the theme and the colors that were chosen here, if any.
(() => {
  const { dataset } = document.documentElement;
  const chosen = localStorage.getItem('rondo.theme');
  if (chosen === 'light' || chosen === 'dark') dataset.theme = chosen;
  if (localStorage.getItem('rondo.colors') === 'safe') dataset.palette = 'safe';
})();
