// SPDX-License-Identifier: Apache-2.0
/** Stands for d3-geo, which Observable Plot needs for maps only: we draw none, and the page gets smaller. */
const none = () => ({});
export {
  none as geoAlbers, none as geoAlbersUsa, none as geoAzimuthalEqualArea, none as geoAzimuthalEquidistant, none as geoCentroid, none as geoClipRectangle,
  none as geoConicConformal, none as geoConicEqualArea, none as geoConicEquidistant, none as geoEqualEarth, none as geoEquirectangular, none as geoGnomonic,
  none as geoGraticule10, none as geoMercator, none as geoOrthographic, none as geoPath, none as geoStereographic, none as geoStream, none as geoTransform,
  none as geoTransverseMercator,
};
