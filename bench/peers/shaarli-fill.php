<?php
// Writes a list of bookmarks by Shaarli's own classes: shaarli-fill.php HOME COUNT
chdir($argv[1]);
require_once 'autoload.php';
foreach (['bookmark/LinkUtils', 'http/HttpUtils', 'http/UrlUtils', 'TimeZone', 'Utils'] as $file) {
    require_once "application/$file.php";
}

use Shaarli\Bookmark\Bookmark;
use Shaarli\Bookmark\BookmarkFileService;

$conf = new Shaarli\Config\ConfigManager();
new Shaarli\Languages('en', $conf);
$lock = fopen($conf->get('resource.datastore') . '.lock', 'c');
$history = new Shaarli\History($conf->get('resource.history'));
$service = new BookmarkFileService($conf, $history, new malkusch\lock\mutex\FlockMutex($lock), true);
$present = $service->count();
for ($at = 0; $at < (int) $argv[2] - $present; $at++) {
    $bookmark = new Bookmark();
    $bookmark->setUrl("https://site$at.example/articles/$at");
    $bookmark->setTitle("How row $at came to be");
    $bookmark->setDescription(str_repeat("Excerpt $at ", 8));
    $bookmark->setTags($at % 3 === 0 ? ['later', 'topic' . $at % 300] : []);
    $bookmark->setCreated(new DateTime('@' . (1400000000 + $at * 97)));
    $service->add($bookmark, false);
}
$service->save();
echo $service->count();
