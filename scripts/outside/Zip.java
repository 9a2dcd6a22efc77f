import java.io.FileInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads archives as a stream and prints the name and length of each file in them. */
class Zip {
  public static void main(String[] paths) throws Exception {
    for (String path : paths)
      try (var zip = new ZipInputStream(new FileInputStream(path))) {
        for (ZipEntry entry; (entry = zip.getNextEntry()) != null; )
          System.out.println(entry.getName() + " " + zip.readAllBytes().length);
      }
  }
}
